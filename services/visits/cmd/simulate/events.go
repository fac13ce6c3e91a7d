package main

import (
	"cmp"
	"container/heap"
	"time"
)

// event is a change of the simulation's state at a time of the day.
type event struct {
	at time.Time
	n  int // order of creation, for events at the same time
	do func()
}

// events is a heap of events, ordered by time.
type events struct {
	all  []event
	made int
}

func (e *events) push(at time.Time, do func()) {
	e.made++
	heap.Push(e, event{at, e.made, do})
}

// Len implements heap.Interface.
func (e *events) Len() int { return len(e.all) }

// Less implements heap.Interface.
func (e *events) Less(i, j int) bool {
	return cmp.Or(e.all[i].at.Compare(e.all[j].at), cmp.Compare(e.all[i].n, e.all[j].n)) < 0
}

// Swap implements heap.Interface.
func (e *events) Swap(i, j int) { e.all[i], e.all[j] = e.all[j], e.all[i] }

// Push implements heap.Interface.
func (e *events) Push(x any) { e.all = append(e.all, x.(event)) }

// Pop implements heap.Interface.
func (e *events) Pop() any {
	last := e.all[len(e.all)-1]
	e.all = e.all[:len(e.all)-1]
	return last
}
