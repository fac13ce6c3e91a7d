package visit

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// diagram draws the state machine from Actions, in Mermaid's language: one arrow for each pair of stages, labelled with
// its actions. Actions that keep the stage, or that can lead to several stages, have no arrow.
func diagram() string {
	actions := map[[2]Stage][]string{}
	var pairs [][2]Stage
	for _, rule := range Actions {
		for _, from := range rule.From {
			pair := [2]Stage{from, rule.To}
			if rule.To == "" || from == rule.To {
				continue
			}
			if actions[pair] == nil {
				pairs = append(pairs, pair)
			}
			actions[pair] = append(actions[pair], string(rule.Action))
		}
	}
	text := "stateDiagram-v2\n  [*] --> new: create\n"
	for _, pair := range pairs {
		text += fmt.Sprintf("  %s --> %s: %s\n", pair[0], pair[1], strings.Join(actions[pair], ", "))
	}
	return text
}

func table() string {
	text := "| action | from | to | who | event |\n|---|---|---|---|---|\n"
	for _, rule := range Actions {
		from := make([]string, len(rule.From))
		for i, stage := range rule.From {
			from[i] = string(stage)
		}
		who := make([]string, len(rule.Grants))
		for i, grant := range rule.Grants {
			who[i] = grant.text()
		}
		slices.Sort(who)
		text += fmt.Sprintf("| %s | %s | %s | %s | `%s` |\n",
			rule.Action, strings.Join(from, ", "), rule.To, strings.Join(who, ", "), rule.Event)
	}
	return text
}

func (g Grant) text() string {
	text := g.Role + map[Ownership]string{
		Any: "", Own: " (own)", Eligible: " (own, or in the own line)", RegisteredToday: " (registered today)",
	}[g.Of]
	for _, stage := range g.From {
		text += " " + string(stage)
	}
	return text
}

func TestTheREADMEHasTheStateMachine(t *testing.T) {
	data, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{diagram(), table()} {
		if !strings.Contains(string(data), part) {
			t.Errorf("README.md lacks:\n%s", part)
		}
	}
}
