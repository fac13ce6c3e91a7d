package lighthouse

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func runs(points ...float64) []Run {
	var all []Run
	for i, p := range points {
		all = append(all, Run{Figures: Figures{
			"performance": p, "accessibility": 100, "best-practices": 100, "seo": 100, "LCP": float64(1000 + i),
		}})
	}
	return all
}

func TestOneSlowRunDoesNotFailAPage(t *testing.T) {
	all := runs(60, 98, 99, 98, 100)
	result := Result{Page: "/", Goal: pages[0].Goal, Runs: all, Median: median(all)}
	var out strings.Builder
	if err := Report(&out, []Result{result}); err != nil || result.Median["LCP"] != 1002 {
		t.Errorf("%v\n%s", err, out.String())
	}
}

func TestAPageBelowItsGoalFailsAndIsNamed(t *testing.T) {
	all := runs(100, 97, 97, 97, 99)
	landing := Result{Page: "/", Goal: pages[0].Goal, Median: median(all)}
	login := Result{Page: "/login", Goal: pages[1].Goal, Median: median(all)}
	var out strings.Builder
	if err := Report(&out, []Result{landing, login}); !errors.Is(err, ErrBelow) {
		t.Errorf("answered %v", err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.HasSuffix(lines[1], "below in performance") || !strings.HasSuffix(lines[2], "reached") {
		t.Errorf("printed\n%s", out.String())
	}
}

const answer = `{"categories":{
	"performance":{"score":0.965,"auditRefs":[{"id":"largest-contentful-paint","weight":25},{"id":"a-hint","weight":0}]},
	"accessibility":{"score":1,"auditRefs":[]},"best-practices":{"score":1,"auditRefs":[]},
	"seo":{"score":%s,"auditRefs":[{"id":"is-crawlable","weight":4}]}},
	"audits":{"largest-contentful-paint":{"score":0.9,"numericValue":2300},"a-hint":{"score":0},
	"is-crawlable":{"score":0}}}`

func TestAnAnswerIsReadWithItsFaults(t *testing.T) {
	run, err := parse([]byte(strings.Replace(answer, "%s", "0.63", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if run.Figures["performance"] != 97 || run.Figures["seo"] != 63 || run.Figures["LCP"] != 2300 ||
		!slices.Equal(run.Faults, []string{"largest-contentful-paint", "is-crawlable"}) {
		t.Errorf("read %+v", run)
	}
}

func TestAMissingScoreIsAnError(t *testing.T) {
	_, err := parse([]byte(strings.Replace(answer, "%s", "null", 1)))
	if err == nil || !strings.Contains(err.Error(), "seo") {
		t.Errorf("a category without a score: %v", err)
	}
	_, err = parse([]byte(`{"runtimeError":{"code":"NO_FCP","message":"nothing was painted"}}`))
	if err == nil || !strings.Contains(err.Error(), "painted") {
		t.Errorf("a page that painted nothing: %v", err)
	}
	if _, err := parse([]byte("Killed")); err == nil {
		t.Error("no answer was taken for one")
	}
}

func TestAPageIsMeasuredInALanguage(t *testing.T) {
	if got, want := address("/login", "hi"), "/login?lang=hi"; got != want {
		t.Errorf("in Hindi: %s, want %s", got, want)
	}
}
