package row

import (
	"time"

	"github.com/go-json-experiment/json"

	"baari.dev/services/office"
	"baari.dev/services/platform/wire"
	"baari.dev/services/visits/visit"
)

// callBody has the times that follow from a call: when it can be repeated, when the visitor can be marked as missed,
// when the call counts as not answered, and when the service repeats it or marks the visitor by itself.
type callBody struct {
	RecallAt     wire.Time  `json:"recallAt"`
	MissAt       wire.Time  `json:"missAt"`
	NudgeAt      wire.Time  `json:"nudgeAt"`
	AutoRecallAt *wire.Time `json:"autoRecallAt"`
	AutoMissAt   *wire.Time `json:"autoMissAt"`
	BySystem     bool       `json:"bySystem"` // the service has made the last call
}

// policyOf decodes a stored policy. If stored is nil, it returns the default policy.
func policyOf(stored *string) (office.Policy, error) {
	policy := office.DefaultPolicy()
	if stored == nil {
		return policy, nil
	}
	return policy, json.Unmarshal([]byte(*stored), &policy)
}

// callOf returns the times that follow from a visit's call; nil unless the visitor is called.
func callOf(s Snapshot) *callBody {
	v := s.Visit
	if v.Stage != visit.StageCalled || v.CalledAt == nil {
		return nil
	}
	after := func(seconds int) wire.Time { return wire.Time(v.CalledAt.Add(time.Duration(seconds) * time.Second)) }
	call := &callBody{
		RecallAt: wire.Time(v.CalledAt.Add(visit.RecallAfter)), MissAt: after(s.Policy.MissAfterSeconds),
		NudgeAt: after(s.Policy.NudgeAfterSeconds), BySystem: v.CalledBySystem(),
	}
	if v.CallCount > 1 {
		call.MissAt = wire.Time(*v.CalledAt)
	}
	recall, miss := s.Follows(*v.CalledAt)
	call.AutoRecallAt, call.AutoMissAt = wire.TimeOf(recall), wire.TimeOf(miss)
	return call
}

// Follows returns when the service repeats the call of a called visit, and when it marks the visitor as missed; nil
// means never. The method Follows of visit.Visit has the rules.
func (s Snapshot) Follows(from time.Time) (recall, miss *time.Time) {
	seconds := func(n int) time.Duration { return time.Duration(n) * time.Second }
	return s.Visit.Follows(from, visit.Following{
		NudgeAfter: seconds(s.Policy.NudgeAfterSeconds), Repetitions: s.Policy.AutoRecall,
		MissAfter: seconds(s.Policy.MissAfterSeconds), AutoMissAfter: seconds(s.Policy.AutoMissAfterSeconds),
	})
}
