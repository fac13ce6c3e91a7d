package privacy

import (
	"slices"
	"strings"
)

// UserSets interns sets of user ids: a million rows have few distinct sets of readers.
type UserSets struct {
	members [][]string         // sorted, by set
	known   map[string]UserSet // keyed by members
	grown   map[growth]UserSet
}

// UserSet is one set of a UserSets. The zero value is the empty set.
type UserSet int32

type growth struct {
	set  UserSet
	user string
}

// NewUserSets returns a UserSets with the empty set only.
func NewUserSets() *UserSets {
	return &UserSets{members: [][]string{nil}, known: map[string]UserSet{"": 0}, grown: map[growth]UserSet{}}
}

// Members returns the user ids of a set, sorted. The caller must not change them.
func (s *UserSets) Members(set UserSet) []string { return s.members[set] }

// With returns the set that contains user and all members of set.
func (s *UserSets) With(set UserSet, user string) UserSet {
	if grown, ok := s.grown[growth{set, user}]; ok {
		return grown
	}
	members := append(slices.Clone(s.members[set]), user)
	slices.Sort(members)
	members = slices.Compact(members)
	name := strings.Join(members, "\x00")
	grown, ok := s.known[name]
	if !ok {
		grown = UserSet(len(s.members))
		s.members = append(s.members, members)
		s.known[name] = grown
	}
	s.grown[growth{set, user}] = grown
	return grown
}
