package advice

import (
	"errors"
	"fmt"
	"testing"
)

func TestAdviceIsPrintedAsOneSentence(t *testing.T) {
	err := fmt.Errorf("start: %w", errors.Join(errors.New("noise"), Advice("Do this.")))
	if got := Message("baari", err); got != "Do this." {
		t.Errorf("printed %q", got)
	}
	if got := Message("baari", errors.New("broken")); got != "baari: broken" {
		t.Errorf("printed %q", got)
	}
}
