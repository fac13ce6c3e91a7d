package foresight

import (
	"math"
	"slices"
	"time"
)

// The breaks of consultants.
const (
	shortestBreak = 20.0  // minutes; an idle consultant may have gone for one
	restExposure  = 120.0 // minutes without a break in each half hour, before any is known
)

// breaks says when consultants go for their break of a day: at the first end of a sitting after it has come due, or at
// once if they are idle. It comes due at a rate by the half hour, and once (a life-table estimate: Cutler and Ederer,
// Journal of Chronic Diseases 8, 1958).
type breaks struct {
	rate   [slots]float64 // per minute, while it has not come due
	length *law
	idle   float64 // share of the sittings after which a consultant is idle for shortestBreak
	day    time.Time
	today  []restToday // by consultant, on day
}

// restToday is what the sittings of the day say about a consultant.
type restToday struct {
	had   float64 // probability of a break
	ended float64 // minute of the day of the end of the last sitting, 0 without one
}

// restDay is what a consultant's sittings of a day say about the break, in minutes of the day.
type restDay struct {
	day           time.Time
	from, without float64 // first call; no break had come due until then
	due           float64 // came due between without and due; 0: not seen
	ends          int     // of sittings before a break was seen
	unknown       float64 // may have come due between without and unknown, while nobody waited; 0: no such time
}

// restDays returns what the sittings of a consultant, by the time of their calls, say about the breaks.
func restDays(all []Sitting) (days []restDay) {
	last := 0.0 // when the consultant was known to go on working
	for i, s := range all {
		if i == 0 || !dayOf(all[i-1].Called).Equal(dayOf(s.Called)) {
			last = minuteOf(s.Called)
			days = append(days, restDay{day: dayOf(s.Called), from: last, without: last})
			continue
		}
		d, before := &days[len(days)-1], all[i-1]
		if d.due > 0 {
			continue
		}
		d.ends++
		came := !s.Joined.After(before.Ended) // the visitor who was called next waited already
		gap, waited := s.Called.Sub(before.Ended).Minutes(), s.Called.Sub(s.Joined).Minutes()
		switch end := minuteOf(before.Ended); {
		case came && gap > longTurnover:
			d.without, d.due, d.unknown = last, end, 0
		case came:
			last = end
		case waited > longTurnover:
			d.without, d.due, d.unknown = last, minuteOf(s.Joined), 0
		case gap > shortestBreak && d.unknown == 0:
			d.without, d.unknown = end, minuteOf(s.Called)-shortestBreak
			last = minuteOf(s.Called)
		default:
			last = minuteOf(s.Called)
		}
		if d.due == 0 && d.unknown == 0 {
			d.without = last
		}
	}
	return days
}

func dayOf(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

func minuteOf(t time.Time) float64 { return t.Sub(dayOf(t)).Minutes() }

// fit sets the rates.
func (b *breaks) fit(ofDesk [][]Sitting, at time.Time) {
	var due, exposed [slots]float64
	idle, ends := 0.5, lawWeight
	for _, all := range ofDesk {
		for _, d := range restDays(all) {
			weight := decay(at.Sub(d.day), halfLife)
			spread(&exposed, d.from, d.without, weight)
			if width := d.due - d.without; d.due > 0 && width > 0 {
				spread(&due, d.without, d.due, weight/width)
				spread(&exposed, d.without, d.due, weight/2)
			}
			ends += weight * float64(d.ends)
			if d.unknown > 0 {
				idle += weight
			}
		}
	}
	for i := range b.rate {
		b.rate[i] = due[i] / (exposed[i] + restExposure)
	}
	b.idle = idle / ends
}

// follow sets what the sittings of a day say.
func (b *breaks) follow(ofDesk [][]Sitting, at time.Time) {
	b.day, b.today = dayOf(at), make([]restToday, len(ofDesk))
	for c, all := range ofDesk {
		first := slices.IndexFunc(all, func(s Sitting) bool { return dayOf(s.Called).Equal(b.day) })
		if first < 0 {
			continue
		}
		d := restDays(all[first:])[0]
		b.today[c].ended = minuteOf(all[len(all)-1].Ended)
		switch {
		case d.due > 0:
			b.today[c].had = 1
		case d.unknown > 0:
			b.today[c].had = b.rested(d.without, d.unknown+shortestBreak)
		}
	}
}

// rested returns the probability that a consultant who was not at work from one minute of the day to another has had
// the break in it, and was not only idle (Bayes).
func (b *breaks) rested(from, to float64) float64 {
	if to-from < shortestBreak {
		return 0
	}
	due := 1 - math.Exp(-b.between(from, to-shortestBreak))
	if due == 0 {
		return 0
	}
	return due / (due + (1-due)*b.idle)
}

// had returns the probability that the consultant of a desk has had the break of the day: by the sittings, by the time
// since the last of them, which is over but has no sitting yet, and by when the desk was opened.
func (b *breaks) had(consultant int, d Desk) float64 {
	day := b.today[consultant]
	if day.had == 1 || day.ended == 0 || d.Since.IsZero() || !dayOf(d.Since).Equal(b.day) {
		return day.had
	}
	since := minuteOf(d.Since)
	if d.Visit == nil {
		if since-day.ended > longTurnover {
			return 1
		}
		return day.had
	}
	return 1 - (1-day.had)*(1-b.rested(day.ended, since))
}

// spread adds perMinute for each minute of a time to its half hours.
func spread(slot *[slots]float64, from, to, perMinute float64) {
	for at := from; at < to; {
		i := int(at) / slotMinutes
		end := min(float64((i+1)*slotMinutes), to)
		slot[i%slots] += perMinute * (end - at)
		at = end
	}
}

// between returns the rate summed over a time.
func (b *breaks) between(from, to float64) (sum float64) {
	for at := from; at < to; {
		i := int(at) / slotMinutes
		end := min(float64((i+1)*slotMinutes), to)
		sum += b.rate[i%slots] * (end - at)
		at = end
	}
	return sum
}

// drawDue draws the minute of the day at which a break comes due that had not at minute from; +Inf: it does not.
func (b *breaks) drawDue(from float64, r *random) float64 {
	left := r.exponential(1)
	for i := max(0, int(from)/slotMinutes); i < slots; i++ {
		at, end := max(from, float64(i*slotMinutes)), float64((i+1)*slotMinutes)
		if sum := b.rate[i] * (end - at); sum < left {
			left -= sum
			continue
		}
		return at + left/b.rate[i]
	}
	return math.Inf(1)
}
