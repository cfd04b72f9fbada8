package derive_test

// plainly are scenarios of one matter each: moves, jobs, offices, families, pets, tools, over several days, some with two of one name.
var plainly = map[string]scenario{
	"three moves": {
		[]string{
			"2019-01-05 Ada: I live in Oslo.",
			"2020-03-01 Ada: I moved to Bergen.",
			"2021-03-01 Ada: I moved to Molde.",
			"2022-03-01 Ada: I moved to Bergen.",
		},
		map[string]string{
			"Ada / lives in /":            "Bergen",
			"Ada / lives in / 2021-06-01": "Molde",
			"Ada / lives in / 2020-06-01": "Bergen",
			"Ada / lives in / 2019-06-01": "Oslo",
		},
	},
	"a home since a year": {
		[]string{"2022-05-02 Bo: Cleo has lived in Turin since 2018."},
		map[string]string{"Cleo / lives in / 2019-01-01": "Turin", "Cleo / lives in / 2017-12-31": ""},
	},
	"two Annas at two firms": {
		[]string{
			"2022-01-02 Kim: My sister Anna works at Miele.",
			"2022-01-03 Kim: My boss Anna works at Lego.",
			"2023-01-03 Kim: My sister Anna left Miele.",
		},
		map[string]string{
			"Kim's sister Anna / works at /":            "",
			"Kim's boss Anna / works at /":              "Lego",
			"Kim's sister Anna / works at / 2022-06-01": "Miele",
		},
	},
	"two Peters with surnames": {
		[]string{
			"2022-01-02 Kim: Peter Holm lives in Graz.",
			"2022-02-02 Kim: Peter Lund lives in Linz.",
			"2023-02-02 Kim: Peter Lund moved to Wels.",
		},
		map[string]string{"Peter Holm / lives in /": "Graz", "Peter Lund / lives in /": "Wels", "Peter / lives in /": "? Peter Holm, Peter Lund"},
	},
	"a job in between": {
		[]string{"2020-01-02 Lu: I work at Bosch.", "2021-01-02 Lu: I left Bosch.", "2022-01-02 Lu: I work at Stihl."},
		map[string]string{"Lu / works at / 2020-06-01": "Bosch", "Lu / works at / 2021-06-01": "", "Lu / works at /": "Stihl"},
	},
	"a promotion": {
		[]string{"2020-01-02 Lu: Vera works at Fiat as a clerk.", "2022-01-02 Lu: Vera was promoted to manager."},
		map[string]string{"Vera / role / 2021-01-01": "clerk", "Vera / role /": "manager", "Vera / employer /": "Fiat"},
	},
	"hired on a day": {
		[]string{"2022-01-20 Lu: Dora was hired by Airbus on 2022-01-10."},
		map[string]string{"Dora / works at / 2022-01-10": "Airbus", "Dora / works at / 2022-01-09": ""},
	},
	"studies": {
		[]string{"2020-10-02 Lu: Nora studies at ETH.", "2020-10-03 Lu: I study physics."},
		map[string]string{"Nora / university /": "ETH", "Lu / major /": "physics"},
	},
	"born and raised": {
		[]string{"2020-01-02 Lu: Otto was born in Wien.", "2020-01-03 Lu: Otto lives in Linz."},
		map[string]string{"Otto / birthplace /": "Wien", "Otto / lives in /": "Linz"},
	},
	"a cat and two names": {
		[]string{"2020-01-02 Lu: Vera has a cat named Mia.", "2020-02-02 Lu: Igor has a dog named Rex."},
		map[string]string{"Vera / pet /": "Mia", "Igor / pet /": "Rex", "Rex / owner of the pet /": "Igor"},
	},
	"tools change twice": {
		[]string{
			"2020-01-02 Lu: We use Jenkins.",
			"2021-01-02 Lu: We switched from Jenkins to Travis.",
			"2022-01-02 Lu: We replaced Travis with Drone.",
		},
		map[string]string{
			"Lu / uses /":                    "Drone",
			"What did we use before Drone?":  "Lu | Travis",
			"What did we use before Travis?": "Lu | Jenkins",
			"Lu / uses / 2021-06-01":         "Travis",
		},
	},
	"two tools side by side": {
		[]string{"2020-01-02 Lu: I use Vim.", "2021-01-02 Lu: I also use Emacs.", "2022-01-02 Lu: I stopped using Vim."},
		map[string]string{"Lu / uses / 2021-06-01": "Emacs, Vim", "Lu / uses /": "Emacs"},
	},
	"hosted elsewhere": {
		[]string{"2020-01-02 Lu: Ibis is hosted on Fly.", "2021-01-02 Lu: Ibis is hosted on Hetzner."},
		map[string]string{"Ibis / hosting / 2020-06-01": "Fly", "Ibis / hosting /": "Hetzner"},
	},
	"a mayor and the next one": {
		[]string{"2018-01-02 Lu: Rosa is the mayor of Ulm.", "2022-01-02 Lu: Emil is the mayor of Ulm."},
		map[string]string{"Ulm / mayor / 2019-01-01": "Rosa", "Ulm / mayor /": "Emil"},
	},
	"offices of two clubs": {
		[]string{"2020-01-02 Lu: Iris is the treasurer of the choir.", "2020-01-03 Lu: Omar is the treasurer of the chess club."},
		map[string]string{"choir / treasurer /": "Iris", "chess club / treasurer /": "Omar"},
	},
	"a wedding told later": {
		[]string{"2022-01-02 Lu: Vera married Igor on 2015-05-05."},
		map[string]string{"Vera / spouse / 2016-01-01": "Igor", "Igor / married to / 2015-05-04": "", "Igor / married to /": "Vera"},
	},
	"sisters of two": {
		[]string{"2020-01-02 Lu: Eva is Tom's sister.", "2020-01-03 Lu: Ida is Kim's sister."},
		map[string]string{"Tom / sister of /": "Eva (Tom's sister)", "Kim / sister of /": "Ida (Kim's sister)"},
	},
	"a brother who moves": {
		[]string{"2020-01-02 Lu: My brother Jan lives in Kiel.", "2021-01-02 Lu: My brother Jan moved to Bonn."},
		map[string]string{"Lu's brother Jan / lives in /": "Bonn", "Jan / lives in / 2020-06-01": "Kiel"},
	},
	"another name at work": {
		[]string{"2020-01-02 Lu: Elisabeth, whom we all call Lisa, works at Siemens.", "2021-01-02 Lu: Lisa left Siemens."},
		map[string]string{"Elisabeth / works at /": "", "Lisa / works at / 2020-06-01": "Siemens"},
	},
	"a car sold": {
		[]string{"2020-01-02 Lu: Tom owns a red boat.", "2022-01-02 Lu: Tom sold the red boat to Ida."},
		map[string]string{"red boat / owner / 2021-01-01": "Tom", "red boat / owner /": "Ida"},
	},
	"a language more": {
		[]string{"2020-01-02 Lu: Kim speaks Danish.", "2021-01-02 Lu: Kim speaks Greek."},
		map[string]string{"Kim / languages /": "Danish, Greek"},
	},
	"an allergy stays": {
		[]string{"2020-01-02 Lu: I am allergic to nuts.", "2021-01-02 Lu: I moved to Rome."},
		map[string]string{"Lu / allergy /": "nuts"},
	},
	"hypotheses about jobs": {
		[]string{
			"2020-01-02 Lu: Kim might work at Lego.",
			"2020-01-03 Lu: Does Kim work at Fiat?",
			"2020-01-04 Lu: If Kim worked at Miele, it would be far.",
		},
		map[string]string{"Kim / works at /": ""},
	},
	"an end in a year": {
		[]string{"2023-01-02 Lu: Kim used to work at Lego until 2020."},
		map[string]string{"Kim / works at / 2020-12-31": "Lego", "Kim / works at / 2021-01-01": "", "Kim / works at /": ""},
	},
	"a stay between two years": {
		[]string{"2023-01-02 Lu: Between 2015 and 2017 Cleo lived in Parma.", "2023-01-03 Lu: Cleo lives in Rome."},
		map[string]string{"Cleo / lives in / 2016-06-01": "Parma", "Cleo / lives in / 2014-12-31": "", "Cleo / lives in /": "Rome"},
	},
	"moves told backwards": {
		[]string{"2023-03-02 Lu: Cleo moved to Rome on 2022-02-01.", "2023-03-03 Lu: Cleo moved to Pisa on 2020-02-01."},
		map[string]string{"Cleo / lives in /": "Rome", "Cleo / lives in / 2021-01-01": "Pisa"},
	},
	"divorced": {
		[]string{"2019-01-02 Lu: Vera is married to Hugo.", "2021-01-02 Lu: Vera and Hugo divorced on 2020-06-01."},
		map[string]string{"Vera / spouse / 2020-01-01": "Hugo", "Vera / spouse /": ""},
	},
	"ein Umzug": {
		[]string{"2020-01-02 Lu: Eva wohnt in Ulm.", "2021-01-02 Lu: Eva ist nach Mainz gezogen."},
		map[string]string{"Eva / Wohnort /": "Mainz", "Eva / wohnt in / 2020-06-01": "Ulm"},
	},
	"eine neue Stelle": {
		[]string{
			"2020-01-02 Lu: Eva arbeitet bei Bosch.",
			"2021-01-02 Lu: Eva hat bei Bosch gekündigt.",
			"2021-02-02 Lu: Eva arbeitet bei Stihl.",
		},
		map[string]string{"Eva / Arbeitgeber /": "Stihl", "Eva / Arbeitgeber / 2020-06-01": "Bosch", "Eva / works at / 2021-01-15": ""},
	},
	"dos empleos": {
		[]string{"2020-01-02 Lu: Ana trabaja en Iberia.", "2021-01-02 Lu: Ana dejó Iberia.", "2021-03-02 Lu: Ana trabaja en Telefónica."},
		map[string]string{"Ana / empleador /": "Telefónica", "Ana / trabaja en / 2020-06-01": "Iberia"},
	},
	"una mudanza": {
		[]string{"2020-01-02 Lu: Ana vive en Cádiz.", "2021-01-02 Lu: Ana se mudó a Bilbao."},
		map[string]string{"Ana / domicilio /": "Bilbao", "Ana / vive en / 2020-06-01": "Cádiz"},
	},
	"nobody told who speaks": {
		[]string{
			"2020-01-02 : The user lives in Graz.", "2020-01-03 : The user's brother Max works at Lego.",
			"2020-01-03 : Ida's brother Max works at Fiat.",
			"2020-01-04 : The user's boss Max lives in Ulm.", "2021-01-03 : The user drives a Fiat.",
			"2021-01-04 : The user's dog is called Rex.",
			`2022-01-03 : The user: "I moved to Linz"`, `2022-01-04 : The user: "The user owns the file"`,
		},
		map[string]string{
			"user / lives in /": "Linz", "user / lives in / 2021-01-01": "Graz", "my brother Max / works at /": "Lego", "user / car /": "Fiat",
			"my boss Max / lives in /": "Ulm",
			"user / pet /":             "Rex", "file / owner /": "", "Where do I live?": "user | Linz", "The user / lives in /": "Linz",
		},
	},
	"the team's leaders": {
		[]string{"2022-01-02 Lu: Rosa leads the search team.", "2023-01-02 Lu: Emil is the new leader of the search team."},
		map[string]string{"search team / leader / 2022-06-01": "Rosa", "Who leads the search team?": "Emil | search team"},
	},
	"left here and joined there": {
		[]string{
			"2020-01-02 Lu: Jan works at Fiat.", "2021-01-02 Lu: Jan left Fiat and joined Lego.",
			"2022-01-02 Lu: Jan joined Toastmasters.", "2023-01-02 Lu: Jan works at Miele.",
		},
		map[string]string{
			"Jan / works at / 2020-06-01": "Fiat", "Jan / works at / 2022-06-01": "Lego", "Jan / works at /": "Miele",
			"Where did Jan work before Lego?": "Jan | Fiat",
		},
	},
	"from a house to another": {
		[]string{"2021-01-02 Lu: Jan moved from Kiel to Bonn.", "2022-01-02 Lu: We moved from Leeds to York."},
		map[string]string{"Jan / lives in /": "Bonn", "Jan / lives in / 2020-12-31": "Kiel", "Kiel / lives in /": "", "York / uses /": ""},
	},
	"systems move": {
		[]string{
			"2020-01-02 Lu: We use MySQL.", "2021-01-02 Lu: We moved from MySQL to MariaDB.", "2021-02-02 Lu: The shop is hosted on Fly.",
			"2022-02-02 Lu: We migrated the shop from Fly to Hetzner.", "2022-03-02 Lu: We moved the meeting from Monday to Friday.",
			"2022-04-02 Lu: The parser is written in Python.", "2023-04-02 Lu: The parser is now written in Rust.",
		},
		map[string]string{
			"What did we use before MariaDB?": "Lu | MySQL", "shop / hosting /": "Hetzner", "shop / hosting / 2021-06-01": "Fly",
			"meeting / uses /": "", "parser / language /": "Rust", "parser / language / 2022-06-01": "Python",
			"What did we use before Hetzner?": "shop | Fly", "What did we use before Oracle?": "",
		},
	},
	"what moves, whoever says so": {
		[]string{
			"2020-01-02 Lu: Lumo uses MySQL as its database.", "2021-01-02 Lu: Lumo was moved from MySQL to MariaDB.",
			"2020-01-03 Lu: For the billing service we decided to go with Redis because it was quick to set up.",
			"2021-01-03 Lu: After the outage we moved the billing service from Redis over to Valkey.",
			"2020-01-04 Lu: The blog is hosted on Heroku.", "2021-01-04 Lu: The blog was migrated from Heroku to Fly.",
			"2020-01-05 Lu: We use Datadog.", "2021-01-05 Lu: We moved everything from Datadog to Grafana.",
			"2020-01-06 Lu: We use Zoom.", "2021-01-06 Lu: We switched over to Jitsi from Zoom.",
			"2022-01-02 Lu: We decided to go with Anna.", "2022-01-03 Lu: For the wedding we decided to go with Saint Mary.",
			"2022-01-04 Lu: The embassy was moved from Bonn to Berlin.", "2022-01-05 Lu: Our flight was switched from Terminal A to Terminal B.",
			"2022-01-06 Lu: We considered moving from Grafana to Kibana.", "2022-01-07 Lu: We went with Vera for the website.",
		},
		map[string]string{
			"What did we use before MariaDB?": "Lumo | MySQL, Lumo | MySQL", "Lumo / uses / 2020-06-01": "MySQL",
			"What did we use before Valkey?": "Lu | Redis", "blog / hosting /": "Fly", "blog / hosting / 2020-06-01": "Heroku",
			"What did we use before Grafana?": "Lu | Datadog", "What did we use before Jitsi?": "Lu | Zoom", "embassy / uses /": "",
			"Terminal B / uses /": "", "Kibana / uses /": "", "Lu / uses /": "Grafana, Jitsi, Valkey",
		},
	},
	"a new boss and an old one": {
		[]string{
			"2020-01-02 Lu: My boss is Rosa.", "2021-01-02 Lu: My new boss is Emil.", "2022-01-02 Lu: My old boss Rosa lives in Rome.",
			"2022-01-03 Lu: My dog is called Rex.", "2022-01-04 Lu: My new dog is called Max.", "2022-01-05 Lu: My boss was Hugo.",
		},
		map[string]string{"Lu / boss /": "Emil (Lu's boss)", "Lu / pet /": "Max, Rex", "Lu / boss / 2020-06-01": "Rosa (Lu's boss)"},
	},
	"a name and where from": {
		[]string{"2020-01-02 Lu: Jan from sales lives in Kiel.", "2020-01-03 Lu: My uncle Jan lives in Bonn."},
		map[string]string{
			"Jan from sales / lives in /": "Kiel", "my uncle Jan / lives in /": "Bonn",
			"Jan / lives in /": "? Jan (Lu's uncle), Jan (sales)",
		},
	},
	"what everybody calls somebody": {
		[]string{"2020-01-02 Lu: Everyone calls Robert Bob.", "2020-01-03 Lu: Robert works at Fiat.", "2021-01-03 Lu: Bob quit his job at Fiat."},
		map[string]string{"Robert / works at /": "", "Bob / works at / 2020-06-01": "Fiat"},
	},
	"a marriage ends": {
		[]string{
			"2020-01-02 Lu: Ida is married to Otto.", "2021-01-02 Lu: Ida divorced Otto.", "2020-01-02 Lu: Eva ist mit Jan verheiratet.",
			"2021-01-02 Lu: Eva hat sich von Jan scheiden lassen.", "2020-01-02 Lu: Ana está casada con Luis.",
			"2021-01-02 Lu: Ana se divorció de Luis.",
		},
		map[string]string{
			"Otto / spouse / 2020-06-01": "Ida", "Otto / spouse /": "", "Jan / spouse / 2020-06-01": "Eva", "Jan / spouse /": "",
			"Luis / spouse / 2020-06-01": "Ana", "Luis / spouse /": "",
		},
	},
	"Fragen und Werkzeuge": {
		[]string{
			"2020-01-02 Lu: Wir nutzen Jenkins.", "2021-01-02 Lu: Wir sind von Jenkins auf Drone umgestiegen.",
			"2021-01-03 Lu: Ich arbeite bei Miele.",
			"2021-01-03 Lu: Meine Tante Eva spielt Cello.",
		},
		map[string]string{
			"Was haben wir vor Drone verwendet?": "Lu | Jenkins", "Was verwenden wir?": "Lu | Drone", "Wo arbeite ich?": "Lu | Miele",
			"meine Tante Eva / Instrument /": "Cello",
		},
	},
	"preguntas": {
		[]string{
			"2020-01-02 Lu: Usamos Jenkins.", "2021-01-02 Lu: Pasamos de Jenkins a Drone.", "2021-01-03 Lu: Trabajo en Iberia.",
			"2021-01-03 Lu: Mi tía Eva toca la guitarra.",
		},
		map[string]string{
			"¿Qué usábamos antes de Drone?": "Lu | Jenkins", "¿Qué usamos?": "Lu | Drone", "¿Dónde trabajo?": "Lu | Iberia",
			"mi tía Eva / plays /": "guitarra",
		},
	},
	"two speakers": {
		[]string{"2020-01-02 Kim: I live in Graz.", "2020-01-03 Lu: I live in Linz.", "2021-01-03 Kim: I moved to Linz."},
		map[string]string{
			"Kim / lives in /":             "Linz",
			"Lu / lives in /":              "Linz",
			"Graz / lives in / 2020-06-01": "Kim",
			"Linz / lives in /":            "Kim, Lu",
		},
	},
	"back at the old firm": {
		[]string{"2019-01-02 Lu: Kim works at Lego.", "2020-01-02 Lu: Kim left Lego.", "2022-01-02 Lu: Kim works at Lego."},
		map[string]string{"Kim / works at / 2019-06-01": "Lego", "Kim / works at / 2021-01-01": "", "Kim / works at /": "Lego"},
	},
	"said twice": {
		[]string{"2019-01-02 Lu: Kim lives in Oslo.", "2022-01-02 Lu: Kim lives in Oslo."},
		map[string]string{"Kim / lives in / 2020-01-01": "Oslo", "Kim / lives in /": "Oslo"},
	},
	"a friend and a colleague": {
		[]string{"2019-01-02 Lu: Eva is Kim's friend.", "2019-01-03 Lu: Otto is Kim's boss."},
		map[string]string{"Kim / friend /": "Eva (Kim's friend)", "Kim / boss /": "Otto (Kim's boss)"},
	},
	"a friend's employer": {
		[]string{"2019-01-02 Lu: Maria's employer is Bosch.", "2021-01-03 Lu: Maria's employer is Siemens."},
		map[string]string{"Maria / works at / 2020-01-01": "Bosch", "Maria / works at /": "Siemens"},
	},
	"who works there": {
		[]string{"2019-01-02 Lu: Maria works at Bosch.", "2019-01-03 Lu: Jan works at Bosch.", "2020-01-03 Lu: Jan left Bosch."},
		map[string]string{"Bosch / works at /": "Maria", "Bosch / employer / 2019-06-01": "Jan, Maria"},
	},
	"plans are not moves": {
		[]string{
			"2019-01-02 Lu: Maria lives in Bonn.",
			"2020-01-02 Lu: Maria wants to move to Rome.",
			"2020-02-02 Lu: Maria does not live in Pisa.",
		},
		map[string]string{"Maria / lives in /": "Bonn", "Rome / lives in /": ""},
	},
}
