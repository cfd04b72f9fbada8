package dream

import (
	"errors"
	"fmt"
	"slices"

	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// What is wrong with an op as such. The page is as it was, or the draft is refused as a whole.
var (
	errTarget = errors.New("the statement is not on the page")
	errPlace  = errors.New("the page has no place where the line would read as it should")
)

// places tells what the paths of a vault are to dreams.
type places struct{ vault.Layout }

// isList says whether the page is one of the lists for a person in 0_Inbox, which ops of [AddItem] and [TakeItem] keep.
func (w places) isList(p vault.Path) bool {
	return w.listIntro(p) != ""
}

// listIntro is the head of such a list, "" for any other page.
func (w places) listIntro(p vault.Path) string { return navigate.Lists[w.Name(p)] }

// apply carries out the ops of one page. data is nil for a page that does not exist. The same bytes and ops always
// give the same bytes.
func (w places) apply(p vault.Path, data []byte, ops []Op, day vault.Day) ([]byte, error) {
	if w.isList(p) {
		return w.applyList(p, data, ops)
	}
	return applyPage(p, data, ops, day)
}

// applyPage is apply for a page that is no list.
func applyPage(p vault.Path, data []byte, ops []Op, day vault.Day) ([]byte, error) {
	doc, err := openDoc(p, data, ops)
	if err != nil {
		return nil, err
	}
	for i := range ops {
		if _, err := applyOp(doc, &ops[i]); err != nil {
			return nil, fmt.Errorf("%s on %s: %w", ops[i].Kind, p, err)
		}
	}
	return closeDoc(doc, ops, day), nil
}

// openDoc parses the page, or makes it where the first op says so.
func openDoc(p vault.Path, data []byte, ops []Op) (*page.Doc, error) {
	if data != nil {
		return page.Parse(p, data), nil
	}
	if len(ops) == 0 || ops[0].Kind != CreatePage || ops[0].Meta == nil {
		return nil, fmt.Errorf("%s does not exist", p)
	}
	return page.New(p, *ops[0].Meta), nil
}

// closeDoc is the page when all its ops are done.
func closeDoc(doc *page.Doc, ops []Op, day vault.Day) []byte {
	doc.Tidy()
	doc.Touch(day)
	return labelled(doc.Bytes(), ops)
}

// applyOp changes doc and returns the id of the statement or conflict that the op made or left.
func applyOp(doc *page.Doc, op *Op) (id string, err error) {
	ok := true
	switch op.Kind {
	case CreatePage, Drop, TakePage, LabelSources: // the last when all others are done
		return "", nil
	case AddStatement:
		return placed(doc.Add(op.Section, withNote(op.Text, op.Note), op.Task, op.Sources...))
	case AddSource:
		ok = doc.AddSources(op.Target, op.Sources...)
		id = op.Target
		if st, found := doc.Find(op.Target); found {
			id = st.ID
		}
	case Reword:
		if id, ok = doc.Reword(op.Target, op.Text); ok {
			doc.AddSources(id, op.Sources...)
			if st, found := doc.Find(id); found {
				id = st.ID
			}
		}
	case Supersede:
		if _, ok = doc.Retire(op.Target, op.Note); ok && op.Text != "" {
			return placed(doc.Add(op.Section, op.Text, op.Task, op.Sources...))
		}
	case Retire:
		id, ok = doc.Retire(op.Target, op.Note)
	case Date:
		id, ok = doc.Move(op.Target, page.Timeline, "")
	case Retitle:
		ok = op.Meta != nil && doc.Retitle(op.Meta.Title, op.Meta.Aliases)
	case RemoveLine:
		ok = doc.Forget(op.Target)
	case MoveLine:
		ok = doc.Remove(op.Target)
	case Contradict:
		return contradict(doc, op)
	case Settle:
		return settle(doc, op)
	default:
		return "", fmt.Errorf("no such op: %q", op.Kind)
	}
	if !ok {
		return "", errTarget
	}
	return id, nil
}

func placed(id string) (string, error) {
	if id == "" {
		return "", errPlace
	}
	return id, nil
}

func withNote(text, note string) string {
	if note == "" {
		return text
	}
	return text + " (" + note + ")"
}

// contradict puts the options into a callout. Target, where set, is our own line, which moves into it; the line of a person
// stays where it is. A Target that is a callout gets further options.
func contradict(doc *page.Doc, op *Op) (string, error) {
	for _, c := range doc.Conflicts() {
		if c.ID == op.Target {
			for _, o := range op.Options {
				if !doc.AddOption(c.ID, o) {
					return "", errTarget
				}
			}
			return questionID(doc, op.Question, c.Question), nil
		}
	}
	if op.Target != "" && !doc.Remove(op.Target) {
		return "", errTarget
	}
	return placed(doc.AddConflict(op.Question, op.Options))
}

// questionID is the id of the callout with that question, after an edit of it.
func questionID(doc *page.Doc, questions ...string) string {
	for _, c := range doc.Conflicts() {
		for _, q := range questions {
			if q != "" && c.Question == q {
				return c.ID
			}
		}
	}
	return ""
}

// settle takes a callout away: what is right becomes a statement, what is not goes to History.
func settle(doc *page.Doc, op *Op) (string, error) {
	for _, c := range doc.Conflicts() {
		if c.ID != op.Target {
			continue
		}
		if !doc.RemoveConflict(c.ID) {
			return "", errTarget
		}
		id, err := "", error(nil)
		for _, o := range op.Options {
			if id, err = placed(doc.Add(op.Section, o.Text, false, o.Sources...)); err != nil {
				return "", err
			}
		}
		for _, o := range op.Rejected {
			if _, err := placed(doc.Add(vault.History, withNote(o.Text, op.Note), false, o.Sources...)); err != nil {
				return "", err
			}
		}
		return id, nil
	}
	return "", errTarget
}

// applyList carries out the ops of a list in 0_Inbox, in two steps however many they are: what is taken off, then what is added and
// not taken again. An empty list is no reason to take the file away.
func (w places) applyList(p vault.Path, data []byte, ops []Op) ([]byte, error) {
	taken := map[string]int{} // the last op that takes an item off, by its key
	for i := range ops {
		switch ops[i].Kind {
		case TakeItem:
			taken[ops[i].item().Key()] = i
		case AddItem, LabelSources:
		default:
			return nil, fmt.Errorf("%s on the list %s", ops[i].Kind, p)
		}
	}
	if len(taken) > 0 {
		data = navigate.TakeItems(data, func(it navigate.Item) bool { _, gone := taken[it.Key()]; return gone })
	}
	answered := slices.DeleteFunc(navigate.ParseItems(data), func(it navigate.Item) bool { return !it.Ticked })
	var added []navigate.Item
	for i := range ops {
		it := ops[i].item()
		if at, gone := taken[it.Key()]; ops[i].Kind == AddItem && !(gone && at > i) && !slices.ContainsFunc(answered, it.Was) {
			added = append(added, it) // one that was answered was so before a run was taken back
		}
	}
	if len(added) > 0 {
		data = navigate.AppendItems(data, w.listIntro(p), added)
	}
	return labelled(data, ops), nil
}

func (op *Op) item() navigate.Item {
	return navigate.Item{Page: op.Section, Text: op.Text, Sources: op.Sources, Plain: op.Plain}.Read()
}
