package standup

import (
	"context"
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"
)

const (
	firstPause   = 500 * time.Millisecond
	longestPause = 8 * time.Second
)

// sendUntilAnswered sends a message again after no answer, 429 and 5xx. All tries have the same idempotency
// key, so what an unanswered try has done is not done twice.
func (c *Client) sendUntilAnswered(ctx context.Context, m message) (*http.Response, error) {
	end := time.Now().Add(c.retryTime + m.wait)
	limit := tryTime + m.wait
	if c.retryTime > 0 {
		limit = min(limit, c.retryTime+m.wait)
	}
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		response, err := c.try(ctx, m, limit)
		if !mayHelpToRepeat(ctx, response, err) {
			return response, err
		}
		// Clients that failed together do not come back together.
		wait := max(retryAfter(response), time.Duration(float64(pause)*(0.8+0.4*rand.Float64())))
		if time.Until(end) <= wait {
			return response, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
		}
		limit = min(limit, time.Until(end))
	}
}

func mayHelpToRepeat(ctx context.Context, response *http.Response, err error) bool {
	if err != nil {
		var certificate *tls.CertificateVerificationError
		return ctx.Err() == nil && !errors.As(err, &certificate)
	}
	return response.StatusCode == http.StatusTooManyRequests || response.StatusCode >= 500
}

// retryAfter is how long a response asks to wait: seconds, or the time until a date (RFC 9110, 10.2.3).
func retryAfter(response *http.Response) time.Duration {
	if response == nil {
		return 0
	}
	value := response.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(value); err == nil {
		return time.Until(date)
	}
	return 0
}
