package standup

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"
)

// Problem is an error that the service answered with (RFC 9457). Find it with errors.As.
type Problem struct {
	// Code is the stable name, such as validation_failed. It is empty if something between the client and
	// the service answered.
	Code string `json:"code"`
	// Status is the status of the response, such as 422.
	Status int    `json:"-"`
	Title  string `json:"title"`
	// Detail says in a sentence what is wrong and how to correct it.
	Detail string `json:"detail"`
	// RequestID finds the request in the log of the service.
	RequestID string  `json:"request_id"`
	Errors    []Fault `json:"errors"`
	// RetryAfter is how long the service asks to wait before another try; 0 if it does not say.
	RetryAfter time.Duration `json:"-"`
}

// Fault is one thing that is wrong with a request.
type Fault struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
	// Pointer is the place in the body, such as #/answers/1/value.
	Pointer   string `json:"pointer"`
	Parameter string `json:"parameter"`
	Header    string `json:"header"`
}

func (p *Problem) Error() string {
	code := p.Code
	if code == "" {
		code = p.Title
	}
	text := fmt.Sprintf("standup: %d %s", p.Status, code)
	if p.Detail != "" {
		text += ": " + p.Detail
	}
	for _, fault := range p.Errors {
		if place := fault.Pointer + fault.Parameter + fault.Header; place != "" {
			text += fmt.Sprintf(" [%s: %s]", place, fault.Detail)
		}
	}
	return text
}

// findProblem returns the error of a response that is no success.
func findProblem(response *http.Response) error {
	if response.StatusCode >= 200 && response.StatusCode < 300 {
		return nil
	}
	if response.StatusCode == http.StatusNotModified {
		return ErrNotModified
	}
	problem := &Problem{}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if strings.HasSuffix(kind, "json") {
		body, _ := io.ReadAll(response.Body)
		// A body that is no problem leaves the status, which says enough.
		_ = json.Unmarshal(body, problem)
	}
	problem.Status = response.StatusCode
	problem.RetryAfter = retryAfter(response)
	if problem.Title == "" {
		problem.Title = http.StatusText(response.StatusCode)
	}
	if problem.RequestID == "" {
		problem.RequestID = response.Header.Get("X-Request-Id")
	}
	return problem
}
