package feed

// Announced is the head that a source has announced, as a Follower keeps it.
type Announced struct{ announced }

func (a *Announced) Set(state []byte)     { a.set(state) }
func (a *Announced) At(pos Position) bool { return a.at(pos) }
