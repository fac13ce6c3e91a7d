package realtime

import (
	"fmt"
	"log/slog"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"baari.dev/services/contract"
	"baari.dev/services/platform/identity"
)

func newHub(limits Limits) *Hub {
	log := slog.New(slog.DiscardHandler)
	return NewHub(map[string]Pager{}, limits, func(string) {}, prometheus.NewRegistry(), log)
}

// joined tries to open five streams for each of the accounts and returns the streams that were accepted.
func joined(h *Hub, kind string, accounts int, newcomer bool) (accepted []*subscriber) {
	for n := range 5 * accounts {
		caller := identity.Caller{
			ID: fmt.Sprintf("%s-%d", kind, n/5), Role: contract.RolePA, Active: true, Newcomer: newcomer,
		}
		if s, _, _, err := h.join(caller); err == nil {
			accepted = append(accepted, s)
		}
	}
	return accepted
}

// 108 accounts that have just registered request 540 streams and get a fifth of the replica's 500.
func TestNewcomersTakeAFifthOfTheStreams(t *testing.T) {
	h := newHub(DefaultLimits)
	newcomers := joined(h, "newcomer", 108, true)
	if len(newcomers) != 100 {
		t.Errorf("newcomers have %d streams, want 100", len(newcomers))
	}
	// ASVS 15.2.2
	staff := joined(h, "staff", 80, false)
	if len(staff) != 400 {
		t.Fatalf("staff have %d streams, want 400", len(staff))
	}
	h.leave(newcomers[0])
	h.leave(staff[0])
	if again := joined(h, "another", 1, true); len(again) != 1 {
		t.Errorf("newcomers have %d of one place that is free again", len(again))
	}
}

func TestAReplicaOfFewStreamsHasAPlaceForANewcomer(t *testing.T) {
	for limits, want := range map[Limits]int{{PerUser: 5, PerReplica: 3}: 1, {}: 10} {
		h := newHub(limits)
		if got := joined(h, "newcomer", 2, true); len(got) != want {
			t.Errorf("%+v: newcomers have %d streams, want %d", limits, len(got), want)
		}
	}
}
