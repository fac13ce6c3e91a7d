package line

import "slices"

// Field is a line for many picks in succession, as in a simulation. It computes the keys of the order once per visitor
// and stays sorted. Call removes the visitor whom Pick would return and counts the call for those whom it passes.
type Field struct {
	desks     []Desk
	maxBypass int
	visitors  []fieldVisitor
	takes     [][]bool // indexed by desk and visitor
	waiting   []int    // visitors in the order of the line
}

// fieldVisitor has a visitor's two keys of the order: below the cap and at the cap. Times are in Unix nanoseconds.
type fieldVisitor struct {
	below, atCap, rank int64
	token, bypassed    int
	forced             bool // the visitor is in the first group even below the cap
	moved              bool // the visitor was moved; calls of moved visitors are not counted
	series, id         string
}

// NewField returns an empty line for the desks.
func NewField(desks []Desk, maxBypass int) *Field {
	return &Field{desks: desks, maxBypass: maxBypass, takes: make([][]bool, len(desks))}
}

// Add adds a visitor and returns the visitor's number: 0, 1, …. Enter puts the visitor into the line.
func (f *Field) Add(w Waiting) int {
	below, capped := w, w
	below.Bypassed, capped.Bypassed = min(w.Bypassed, f.maxBypass-1), max(w.Bypassed, f.maxBypass)
	f.visitors = append(f.visitors, fieldVisitor{
		below: below.key(f.maxBypass).UnixNano(), atCap: capped.key(f.maxBypass).UnixNano(), rank: w.RankAt.UnixNano(),
		series: w.Series, token: w.Token, bypassed: w.Bypassed, id: w.ID,
		forced: below.goesFirst(f.maxBypass), moved: w.MovedDue != nil,
	})
	for i, d := range f.desks {
		f.takes[i] = append(f.takes[i], d.Takes(w))
	}
	return len(f.visitors) - 1
}

// Enter puts a visitor into the line.
func (f *Field) Enter(visitor int) {
	at := len(f.waiting)
	for at > 0 && f.before(visitor, f.waiting[at-1]) {
		at--
	}
	f.waiting = slices.Insert(f.waiting, at, visitor)
}

// Takes reports whether a desk can call a visitor.
func (f *Field) Takes(desk, visitor int) bool { return f.takes[desk][visitor] }

// Call removes the visitor whom desk calls next, and counts the call for the visitors whom it passes. ok is false if
// the desk's line is empty.
func (f *Field) Call(desk int) (visitor int, ok bool) {
	takes := f.takes[desk]
	at := slices.IndexFunc(f.waiting, func(i int) bool { return takes[i] })
	if at < 0 {
		return 0, false
	}
	visitor = f.waiting[at]
	f.waiting = slices.Delete(f.waiting, at, at+1)
	if called := &f.visitors[visitor]; !called.moved {
		for n := at; n < len(f.waiting); n++ {
			if i := f.waiting[n]; f.visitors[i].rank < called.rank && takes[i] {
				f.pass(n)
			}
		}
	}
	return visitor, true
}

// pass counts a call that passes the n-th visitor of the line. At the cap the visitor moves to the first group.
func (f *Field) pass(n int) {
	i := f.waiting[n]
	if f.visitors[i].bypassed++; f.visitors[i].bypassed == f.maxBypass {
		for ; n > 0 && f.before(i, f.waiting[n-1]); n-- {
			f.waiting[n] = f.waiting[n-1]
		}
		f.waiting[n] = i
	}
}

// First returns the first n visitors, in the order of the line, who share a desk with visitor.
func (f *Field) First(visitor, n int) (first []int) {
	for _, i := range f.waiting {
		if len(first) < n && f.shares(visitor, i) {
			first = append(first, i)
		}
	}
	return first
}

func (f *Field) shares(a, b int) bool {
	return slices.ContainsFunc(f.takes, func(takes []bool) bool { return takes[a] && takes[b] })
}

// Bypassed returns the number of calls that passed a visitor.
func (f *Field) Bypassed(visitor int) int { return f.visitors[visitor].bypassed }

// before reports whether visitor i is before visitor j in the order of the line.
func (f *Field) before(i, j int) bool {
	a, b := &f.visitors[i], &f.visitors[j]
	first := a.forced || a.bypassed >= f.maxBypass
	if first != (b.forced || b.bypassed >= f.maxBypass) {
		return first
	}
	x, y := a.below, b.below
	if a.bypassed >= f.maxBypass {
		x = a.atCap
	}
	if b.bypassed >= f.maxBypass {
		y = b.atCap
	}
	switch {
	case x != y:
		return x < y
	case a.series != b.series:
		return a.series < b.series
	case a.token != b.token:
		return a.token < b.token
	}
	return a.id < b.id
}

// CopyFrom makes f equal to other. It reuses f's memory.
func (f *Field) CopyFrom(other *Field) {
	f.desks, f.maxBypass = other.desks, other.maxBypass
	f.visitors = append(f.visitors[:0], other.visitors...)
	f.takes = slices.Grow(f.takes[:0], len(other.takes))[:len(other.takes)]
	for desk := range f.takes {
		f.takes[desk] = append(f.takes[desk][:0], other.takes[desk]...)
	}
	f.waiting = append(f.waiting[:0], other.waiting...)
}
