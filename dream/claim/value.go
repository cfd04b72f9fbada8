package claim

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// numerals are the numbers that people spell out.
var numerals = table(`one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 thirteen=13
fourteen=14 fifteen=15
sixteen=16 seventeen=17 eighteen=18 nineteen=19 twenty=20 thirty=30 forty=40 fifty=50 sixty=60 seventy=70 eighty=80 ninety=90
hundred=100 thousand=1000 million=1000000
zwei=2 drei=3 vier=4 funf=5 sechs=6 sieben=7 acht=8 neun=9 zehn=10 elf=11 zwolf=12 zwanzig=20 dreissig=30 vierzig=40 funfzig=50
hundert=100 tausend=1000
dos=2 tres=3 cuatro=4 cinco=5 seis=6 siete=7 ocho=8 nueve=9 diez=10 once=11 doce=12 veinte=20 treinta=30 cuarenta=40 cincuenta=50 cien=100
deux=2 trois=3 quatre=4 cinq=5 sept=7 huit=8 neuf=9 dix=10 onze=11 douze=12 vingt=20 trente=30 cent=100`)

// months and weekdays of the languages of the lexicon.
var months = table(`january=01 february=02 march=03 april=04 may=05 june=06 july=07 august=08 september=09 october=10 november=11
december=12
jan=01 feb=02 mar=03 apr=04 jun=06 jul=07 aug=08 sep=09 sept=09 oct=10 nov=11 dec=12
januar=01 februar=02 marz=03 mai=05 juni=06 juli=07 oktober=10 dezember=12
enero=01 febrero=02 marzo=03 abril=04 mayo=05 junio=06 julio=07 agosto=08 septiembre=09 octubre=10 noviembre=11 diciembre=12
janvier=01 fevrier=02 mars=03 avril=04 juin=06 juillet=07 aout=08 septembre=09 octobre=10 novembre=11 decembre=12`)

var weekdays = table(`monday=1 tuesday=2 wednesday=3 thursday=4 friday=5 saturday=6 sunday=7 mondays=1 tuesdays=2 wednesdays=3
thursdays=4 fridays=5 saturdays=6 sundays=7
montag=1 dienstag=2 mittwoch=3 donnerstag=4 freitag=5 samstag=6 sonntag=7 montags=1 dienstags=2 mittwochs=3 donnerstags=4 freitags=5
samstags=6 sonntags=7
lunes=1 martes=2 miercoles=3 jueves=4 viernes=5 sabado=6 sabados=6 domingo=7 domingos=7 lundi=1 mardi=2 mercredi=3 jeudi=4
vendredi=5 samedi=6 dimanche=7`)

var relativeDays = table(`yesterday=-1 tomorrow=1 today=0 tonight=0 gestern=-1 morgen=1 heute=0 ayer=-1 hoy=0 manana=1 hier=-1
	demain=1 vorgestern=-2`)

// units gives dimension and factor: two amounts are the same when both agree.
var units = table(`km=len:1000 kilometer=len:1000 kilometers=len:1000 kilometre=len:1000 kilometres=len:1000 kilometern=len:1000
kilometros=len:1000 m=len:1 meter=len:1 meters=len:1 metre=len:1 metres=len:1 metros=len:1
mile=len:1609.344 miles=len:1609.344 meilen=len:1609.344 millas=len:1609.344 cm=len:0.01 centimeters=len:0.01 mm=len:0.001
ft=len:0.3048 foot=len:0.3048 feet=len:0.3048 inch=len:0.0254 inches=len:0.0254 yards=len:0.9144
kg=mass:1000 kilo=mass:1000 kilos=mass:1000 kilogram=mass:1000 kilograms=mass:1000 kilogramm=mass:1000 g=mass:1 gram=mass:1
grams=mass:1 gramm=mass:1 mg=mass:0.001 milligrams=mass:0.001 lb=mass:453.59237 lbs=mass:453.59237 oz=mass:28.3495
tonnes=mass:1000000
s=time:1 ms=time:0.001 milliseconds=time:0.001 sec=time:1 second=time:1 seconds=time:1 sekunden=time:1 segundos=time:1
secondes=time:1 min=time:60 mins=time:60 minute=time:60 minutes=time:60 minuten=time:60 minutos=time:60 h=time:3600 hr=time:3600
hrs=time:3600 hour=time:3600 hours=time:3600 stunde=time:3600 stunden=time:3600 hora=time:3600 horas=time:3600 heures=time:3600
day=time:86400 days=time:86400 tag=time:86400 tage=time:86400 tagen=time:86400 dia=time:86400 dias=time:86400 jours=time:86400
week=time:604800 weeks=time:604800 wochen=time:604800 semanas=time:604800 semaines=time:604800
month=month:1 months=month:1 monate=month:1 monaten=month:1 meses=month:1 mois=month:1 year=month:12 years=month:12 jahr=month:12
jahre=month:12 jahren=month:12 ano=month:12 anos=month:12 ans=month:12
kb=data:1e3 mb=data:1e6 gb=data:1e9 tb=data:1e12 kib=data:1024 mib=data:1048576 gib=data:1073741824
euro=eur:1 euros=eur:1 eur=eur:1 €=eur:1 dollar=usd:1 dollars=usd:1 dolares=usd:1 usd=usd:1 $=usd:1 gbp=gbp:1 £=gbp:1 yen=jpy:1
¥=jpy:1 jpy=jpy:1 francs=chf:1 chf=chf:1 franken=chf:1 pounds=pound:1 pound=pound:1 cents=cent:1
%=percent:1 percent=percent:1 prozent=percent:1 °=degree:1 l=vol:1 liter=vol:1 liters=vol:1 litre=vol:1 litres=vol:1 ml=vol:0.001
w=watt:1 kw=watt:1000 kcal=kcal:1 hz=hz:1 khz=hz:1000 mhz=hz:1e6 ghz=hz:1e9`)

func table(s string) map[string]string {
	m := map[string]string{}
	for f := range strings.FieldsSeq(s) {
		k, v, _ := strings.Cut(f, "=")
		m[k] = v
	}
	return m
}

var (
	isoDate    = regexp.MustCompile(`^(\d{4})-(\d{2})-(\d{2})$`)
	dotDate    = regexp.MustCompile(`^(\d{1,2})\.(\d{1,2})\.(\d{4})$`)
	clockTime  = regexp.MustCompile(`^(\d{1,2}):(\d{2})$`)
	clockGlued = regexp.MustCompile(`^(\d{1,2})(?::(\d{2}))?(am|pm)$`)
	ordinal    = regexp.MustCompile(`^(\d{1,2})(?:st|nd|rd|th|er)?$`)
	glued      = regexp.MustCompile(`^(\d[\d.,]*)(k|[a-z]{1,4})$`)
	plain      = regexp.MustCompile(`^\d+(?:[.,]\d+)*$`)
)

// dateAt reads a date at toks[i]; without a year it is "--MM-DD". n is 0 when there is none.
func dateAt(toks []token, i int, day vault.Day) (id string, n int) {
	t := toks[i]
	at := func(k int) string {
		if i+k < len(toks) {
			return toks[i+k].fold
		}
		return ""
	}
	if m := months[t.fold]; m != "" && t.kind == tokWord && (t.upper || len(t.fold) > 3 && t.fold != "march" && t.fold != "mars") {
		k := 1
		if d := dayNumber(at(1)); d != "" && units[at(2)] == "" {
			k = 2
			y := k
			if at(y) == "," {
				y++
			}
			if isYear(at(y)) {
				return at(y) + "-" + m + "-" + d, y + 1
			}
			return "--" + m + "-" + d, k
		}
		if at(k) == "de" || at(k) == "of" {
			k++
		}
		if isYear(at(k)) {
			return at(k) + "-" + m, k + 1
		}
		if i > 0 && leadsMonth[toks[i-1].fold] { // Jan, April and June are people as well
			return "--" + m, 1
		}
		return "", 0
	}
	if t.kind == tokWord {
		if w := weekdays[t.fold]; w != "" {
			return "wd" + w, 1
		}
		if r := relativeDays[t.fold]; r != "" && day != "" && !(t.fold == "morgen" && t.upper) {
			d, _ := strconv.Atoi(r)
			return string(vault.DayOf(day.Time().Add(time.Duration(d) * 24 * time.Hour))), 1
		}
		return "", 0
	}
	if !digitAt(t.fold, 0) {
		return "", 0
	}
	if isoDate.MatchString(t.fold) {
		return t.fold, 1
	}
	if m := dotDate.FindStringSubmatch(t.fold); m != nil {
		return m[3] + "-" + two(m[2]) + "-" + two(m[1]), 1
	}
	d := dayNumber(t.fold)
	if d == "" {
		return "", 0
	}
	k := 1
	if at(k) == "." || at(k) == "of" || at(k) == "de" {
		k++
	}
	m := months[at(k)]
	if m == "" {
		return "", 0
	}
	k++
	y := k
	if at(y) == "de" || at(y) == "," || at(y) == "del" {
		y++
	}
	if isYear(at(y)) {
		return at(y) + "-" + m + "-" + d, y + 1
	}
	return "--" + m + "-" + d, k
}

var leadsMonth = wordSet(`in since by until till from to of last next this early late mid end during before after im seit bis ab
	anfang ende mitte en desde hasta de depuis jusqu'en debut fin every each and`)

func two(s string) string {
	if len(s) == 1 {
		return "0" + s
	}
	return s
}

func dayNumber(s string) string {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return ""
	}
	m := ordinal.FindStringSubmatch(s)
	if m == nil {
		return ""
	}
	if n, _ := strconv.Atoi(m[1]); n < 1 || n > 31 {
		return ""
	}
	return two(m[1])
}

func isYear(s string) bool {
	return len(s) == 4 && (s[:2] == "19" || s[:2] == "20") && digitAt(s, 2) && digitAt(s, 3)
}

// timeAt reads a time of the day: 14:00, 2 pm, 14 Uhr.
func timeAt(toks []token, i int) (id string, n int) {
	f := toks[i].fold
	if len(f) > 2 && !digitAt(f, 0) {
		return "", 0
	}
	if m := clockGlued.FindStringSubmatch(f); m != nil {
		return clock(m[1], m[2], m[3]), 1
	}
	next := ""
	if i+1 < len(toks) {
		next = toks[i+1].fold
	}
	h, minute := f, ""
	if m := clockTime.FindStringSubmatch(f); m != nil {
		h, minute = m[1], m[2]
	} else if len(f) > 2 {
		return "", 0
	}
	switch next {
	case "am", "pm", "a.m", "p.m":
		return clock(h, minute, next[:1]+"m"), 2
	case "uhr":
		return clock(h, minute, ""), 2
	}
	if minute != "" {
		return clock(h, minute, ""), 1
	}
	return "", 0
}

func clock(h, minute, half string) string {
	n, _ := strconv.Atoi(h)
	if half == "pm" && n < 12 {
		n += 12
	} else if half == "am" && n == 12 {
		n = 0
	}
	if minute == "" {
		minute = "00"
	}
	return "t" + two(strconv.Itoa(n)) + ":" + minute
}

// amount reads a number token: 1,250 and 1250 are the same, 2.0 and 2 are not.
func amount(f string, money bool) string {
	if strings.Count(f, ",") > 0 {
		last := f[strings.LastIndexByte(f, ',')+1:]
		if len(last) == 3 {
			f = strings.ReplaceAll(f, ",", "")
		} else {
			f = strings.Replace(strings.ReplaceAll(f, ".", ""), ",", ".", 1)
		}
	} else if at := strings.LastIndexByte(f, '.'); money && at > 0 && len(f)-at == 4 {
		f = strings.ReplaceAll(f, ".", "")
	}
	if money && strings.HasSuffix(f, ".00") {
		f = f[:len(f)-3]
	}
	return f
}

// quantity is the amount in the unit's dimension.
func quantity(num, unit string) string {
	dim, factor, _ := strings.Cut(unit, ":")
	a, err := strconv.ParseFloat(num, 64)
	f, err2 := strconv.ParseFloat(factor, 64)
	if dim == "data" && a >= 1024 && math.Mod(a, 1024) == 0 { // 8192 MB are meant to be 8 GB
		a = a / 1024 * 1000
	}
	if err != nil || err2 != nil {
		return dim + ":" + num
	}
	return dim + ":" + strconv.FormatFloat(a*f, 'g', 10, 64)
}
