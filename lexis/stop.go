package lexis

import (
	"strings"
	"sync"
)

// IsStop tells whether a word, folded or not, says too little to search for. The list holds function
// words of English, German, French and Spanish; a word that means something in one of the others (die, war, son) is not in it.
func IsStop(word string) bool {
	if len(word) > 16 {
		return false
	}
	return stops()[foldWord(word)]
}

var stops = sync.OnceValue(func() map[string]bool {
	return Set(strings.Join([]string{stopEnglish, stopGerman, stopFrench, stopSpanish}, " "))
})

const stopEnglish = `a an the and or but nor so if then than that this these those there here
i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours ourselves
they them their theirs themselves who whom whose which what when where why how
am is are was were be been being do does did doing done have has had having will would shall should can could might must ought
as at by for from in into of off on onto out over to up with about upon via
not no yes oh ok okay ah um uh hm hmm
too very just also any some such each every both either neither
e.g i.e eg ie etc ll ve re im ive dont doesnt didnt isnt arent wasnt cant wont youre thats whats its lets gonna wanna gotta`

const stopGerman = `der das dem den des ein eine einer eines einem einen und oder aber nicht kein keine keinen ist sind bin bist
ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihn ihnen mein meine meinen dein deine sein seine unser unsere
im am zu zum zur von vom mit auf fur aus bei nach uber unter durch ohne gegen wie wo wann warum wer welche welcher welches
dass weil wenn dann denn noch schon auch nur sehr hier dort haben habe hatte wird werden wurde kann`

const stopFrench = `le les un une du de la des et ou mais ne pas que qui quoi dont est sont suis etes etait etre avoir ont avons avez
je tu il elle nous vous ils elles moi toi lui leur leurs mon ma mes ton ta tes sa ses notre nos votre vos ce cette ces cet
dans avec chez vers par sur sous aux au comment pourquoi quand tres aussi plus moins`

const stopSpanish = `el los las una unos unas y o pero no que quien cual cuando donde como porque es soy eres somos estoy esta estan estaba
yo tu ella ello nosotros vosotros ellos ellas mi mis su sus nuestro nuestra lo al del con sin por para desde hasta muy tambien mas`
