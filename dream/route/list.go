package route

// A list is a list of words in lexicon.txt.
type list uint8

const (
	listNone list = iota
	listKin
	listFriend
	listPet
	listSystem
	listNosystem
	listHuman
	listPronoun
	listShe
	listVotePlace
	listVoteOrg
	listVoteTool
	listVotePerson
	listVoteWork
	listDwell
	listDwellWhere
	listCopula
	listIsOrg
	listIsPlace
	listIsTool
	listIsWork
	listTitle
	listParticle
	listArticle
	listLead
	listFiller
	listGermanic
	listSides
	listJobs
	listOwner
	listUser
	listNobody
	listDuty
	listMonths
	listParty
	listBirth
	listIdea
	listBook
	listEmotions
	listWishes
	listOwned
	listSays
	listThat
	listThing
	listMade
	listParts
	listEvent
	listAnswers
	listRemark
	listSelf
	listAux
	lists
)

// listNames are the names of the lists in lexicon.txt.
var listNames = [lists]string{
	listKin:        "kin",
	listFriend:     "friend",
	listPet:        "pet",
	listSystem:     "system",
	listNosystem:   "nosystem",
	listHuman:      "human",
	listPronoun:    "pronoun",
	listShe:        "she",
	listVotePlace:  "vote-place",
	listVoteOrg:    "vote-org",
	listVoteTool:   "vote-tool",
	listVotePerson: "vote-person",
	listVoteWork:   "vote-work",
	listDwell:      "dwell",
	listDwellWhere: "dwell-where",
	listCopula:     "copula",
	listIsOrg:      "is-org",
	listIsPlace:    "is-place",
	listIsTool:     "is-tool",
	listIsWork:     "is-work",
	listTitle:      "title",
	listParticle:   "particle",
	listArticle:    "article",
	listLead:       "lead",
	listFiller:     "filler",
	listGermanic:   "germanic",
	listSides:      "sides",
	listJobs:       "jobs",
	listOwner:      "owner",
	listUser:       "user",
	listNobody:     "nobody",
	listDuty:       "duty",
	listMonths:     "months",
	listParty:      "party",
	listBirth:      "birth",
	listIdea:       "idea",
	listBook:       "book",
	listEmotions:   "emotions",
	listWishes:     "wishes",
	listOwned:      "owned",
	listSays:       "says",
	listThat:       "that",
	listThing:      "thing",
	listMade:       "made",
	listParts:      "parts",
	listEvent:      "event",
	listAnswers:    "answers",
	listRemark:     "remark",
	listSelf:       "self",
	listAux:        "aux",
}
