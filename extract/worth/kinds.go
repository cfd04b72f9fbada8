package worth

import "strings"

// kindNames are the kinds of words that the model counts in a sentence.
var kindNames = []string{
	"me", "you", "third", "this", "asking", "opener", "when", "kin", "month", "day", "number", "year", "mixed", "name", "will", "past",
	"mood", "wish", "not", "chat",
}

// Kind is the kind of a folded word, such as "kin" or "third", or "".
func Kind(word string) string { return kinds[word] }

// kinds holds function words and a few others by their kind. kinds gives the model what single words are too rare to teach; what a kind is
// worth is learnt.
var kinds = func() map[string]string {
	m := map[string]string{}
	for kind, list := range map[string]string{
		"me": `i im ive id ill my me mine myself we our us ours ourselves ich mein meine meinen meinem meiner mir mich wir unser unsere je
			j'ai mon ma mes nous notre nos yo mi mis nosotros nuestro nuestra io mio mia miei noi nostro nostra`,
		"you": `you your yours yourself u ur youre du dein deine dir dich ihr euch tu te ton ta tes vous votre vos tuyo tus usted vosotros
			tuo tua tuoi vuoi voi`,
		"third": `it its he she they them their him her his hers theirs er sie es ihm ihn ihnen il elle ils elles lui leur ella ellos ellas
			lui lei loro`,
		"this": `this that these those there here das dies dieser diese dort da cela ca ce cette esto eso esta questo quello quella ahi`,
		"asking": `what who whom which where why how whose was wer wo wie warum quoi qui comment pourquoi que quien
			donde como cosa chi dove come`,
		"opener": `and but so well oh yeah yes no ok okay hey hi haha lol wow btw also actually anyway plus thanks und aber ja nein et mais
			oui non y pero si e ma`,
		"when": `yesterday today tomorrow tonight last next week month weekend recently lately now soon ago morning evening gestern heute
			morgen hier aujourd'hui demain ayer hoy manana ieri oggi domani`,
		"kin": `sister brother mother father mom mum dad parents son daughter child children kid kids wife husband partner girlfriend
			boyfriend fiance fiancee grandmother grandfather grandma grandpa aunt uncle cousin niece nephew friend friends boss manager
			colleague roommate flatmate neighbour neighbor dog cat puppy kitten schwester bruder mutter vater sohn tochter frau mann
			hund katze soeur frere mere pere fils fille femme mari chien chat hermana hermano madre padre hijo hija esposa marido
			perro gato sorella fratello figlio figlia moglie marito cane gatto`,
		"month": `january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept
			oct nov dec januar februar marz mai juni juli oktober dezember janvier fevrier mars avril juin juillet aout septembre octobre
			novembre decembre enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre gennaio febbraio
			aprile maggio giugno luglio settembre ottobre novembre dicembre`,
		"day": `monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag lundi
			mardi mercredi jeudi vendredi samedi dimanche lunes martes miercoles jueves viernes sabado domingo lunedi martedi mercoledi
			giovedi venerdi domenica`,
		"will": `will 'll going gonna plan planning planned want wanna need should must werde wollen will muss vais veux dois voy quiero
			tengo vado voglio devo`,
		"past": `was were did had been got went came made took won moved started finished bought joined met war waren hatte habe ai etait
			etais fui fue estaba he ho ero sono stato stata`,
		"mood": `happy sad glad excited tired worried nervous stressed proud grateful bored sorry afraid scared great nice amazing awesome
			cool good bad wonderful lovely beautiful fun funny crazy interesting inspiring love hope wish`,
		"wish": `please always never prefer call remember remind answer reply use stop bitte immer nie toujours jamais siempre nunca sempre mai`,
		"not":  `not 't no never none nothing dont cant nicht kein keine pas rien nada nunca niente`,
		"chat": `lol haha hahaha lmao omg tbh ngl gonna wanna gotta kinda sorta yea yeah nah ya hmm ugh aww idk bro dude`,
	} {
		for w := range strings.FieldsSeq(list) {
			if m[w] == "" || kind < m[w] {
				m[w] = kind
			}
		}
	}
	return m
}()
