package bench

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// exportRounds is how often export and COPY take turns; the medians count, and the highest memory.
const exportRounds = 3

// exportedDays is the longest range that one export may have.
const exportedDays = 366

// export exports the last year, and has PostgreSQL copy out the same rows.
func (a *archive) export(ctx context.Context) (Exported, error) {
	pid := processOf(a.system, "audit").PID
	memory, err := residentMemory(pid)
	if err != nil {
		return Exported{}, err
	}
	result := Exported{Visits: a.visits, Before: float64(memory) / 1e6}
	var service, plain []float64
	for range exportRounds {
		watch := watchMemory(pid)
		began := time.Now()
		rows, err := a.download(ctx, a.first(), a.today)
		service = append(service, float64(rows)/time.Since(began).Seconds())
		result.Rows, result.Peak = rows, max(result.Peak, float64(watch())/1e6)
		if err != nil {
			return result, err
		}
		began = time.Now()
		tag, err := a.filler.connections["audit"].PgConn().CopyTo(ctx, io.Discard, fmt.Sprintf(copySQL, a.first(), a.today))
		if err != nil {
			return result, fmt.Errorf("copy out: %w", err)
		}
		plain = append(plain, float64(tag.RowsAffected())/time.Since(began).Seconds())
		if tag.RowsAffected() != rows {
			return result, fmt.Errorf("the export has %d rows, COPY %d", rows, tag.RowsAffected())
		}
	}
	result.Service, result.Copy = median(service), median(plain)
	return result, nil
}

// first is the first day of the longest range that ends today.
func (a *archive) first() string {
	last, _ := time.Parse(time.DateOnly, a.today) // the service wrote it
	return last.AddDate(0, 0, 1-exportedDays).Format(time.DateOnly)
}

// copySQL copies the export's columns in its order.
const copySQL = `COPY (
SELECT day, token, name, phone, service_name, status, consultant_name, created_at, decided_at, started_at, completed_at,
  wait_minutes, duration_minutes, reception_notes, pa_notes, session_notes, created_by_name, decided_by_name
FROM visits WHERE day BETWEEN '%s' AND '%s' ORDER BY day, token_no
) TO STDOUT WITH (FORMAT csv, FORCE_QUOTE *)`

// download exports the days and counts the rows.
func (a *archive) download(ctx context.Context, first, last string) (int64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, a.system.Public("audit")+"/api/analytics/export?start_date="+first+"&end_date="+last, http.NoBody)
	if err != nil {
		return 0, err
	}
	request.Header.Set("Authorization", "Bearer "+a.people["admin"].Token())
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("the export is answered %d", answer.StatusCode)
	}
	lines := &lineCounter{}
	if _, err := io.Copy(lines, answer.Body); err != nil {
		return 0, err
	}
	return lines.count - 1, nil // the first names the columns
}

// lineCounter counts line ends; no exported field contains one.
type lineCounter struct{ count int64 }

// Write implements io.Writer.
func (l *lineCounter) Write(data []byte) (int, error) {
	for _, b := range data {
		if b == '\n' {
			l.count++
		}
	}
	return len(data), nil
}

// watchMemory samples the memory of a process until it is called, and returns the maximum in bytes.
func watchMemory(pid int) func() int64 {
	stop, most := make(chan struct{}), make(chan int64)
	go func() {
		high := int64(0)
		for {
			if now, err := residentMemory(pid); err == nil {
				high = max(high, now)
			}
			select {
			case <-stop:
				most <- high
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return func() int64 { close(stop); return <-most }
}
