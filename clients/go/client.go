// Package standup is a client of the Team Standup Service.
//
// Each operation of the API is a method of [Client]. Those methods and the types of what is sent and answered
// are generated from the OpenAPI document. This package adds what an integration needs besides: tries again
// with one idempotency key, errors with their code ([Problem]), paging ([Paginate]), the feed of events
// ([Client.FollowEvents]), changes of a known revision ([IfMatch]) and verified webhooks ([VerifyWebhook]).
package standup

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	userAgent = "standup-go/" + version
	// retryTime is how long a call may take with all its tries.
	retryTime = 30 * time.Second
	// tryTime is how long one try may take, without the time that the caller asked the service to wait.
	tryTime = 10 * time.Second
)

// Client sends requests with one access token. It is safe for concurrent use.
type Client struct {
	address   string
	token     string
	http      *http.Client
	retryTime time.Duration
}

// Option changes a new client.
type Option func(*Client)

// WithHTTPClient sends requests by another HTTP client, such as one with a proxy. It follows no redirects,
// unless it has a CheckRedirect: a redirected POST may become a GET.
func WithHTTPClient(client *http.Client) Option {
	return func(c *Client) {
		used := *client
		if used.CheckRedirect == nil {
			used.CheckRedirect = followNone
		}
		c.http = &used
	}
}

// WithRetryTime sets how long a call may take with all its tries. The default is 30 seconds; 0 allows one try.
func WithRetryTime(limit time.Duration) Option {
	return func(c *Client) { c.retryTime = limit }
}

// New returns a client of the service at an address such as https://standup.example.com.
func New(address, token string, options ...Option) (*Client, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	if parsed.Host == "" || (parsed.Scheme != "http" && parsed.Scheme != "https") {
		return nil, errors.New("standup: the address must begin with https:// or http://")
	}
	if parsed.RawQuery != "" || parsed.Fragment != "" {
		return nil, errors.New("standup: the address must end with its path, without ? or #")
	}
	if token == "" {
		return nil, errors.New("standup: the access token is empty")
	}
	client := &Client{
		address:   strings.TrimRight(address, "/"),
		token:     token,
		http:      &http.Client{CheckRedirect: followNone},
		retryTime: retryTime,
	}
	for _, option := range options {
		option(client)
	}
	return client, nil
}

// String leaves out the token, so that a printed client shows no secret.
func (c *Client) String() string {
	return "standup client of " + c.address
}

// GoString is for %#v, which would show the token too.
func (c *Client) GoString() string {
	return c.String()
}

func followNone(*http.Request, []*http.Request) error {
	return http.ErrUseLastResponse
}

// Ptr returns a pointer to a value, for optional members: Limit: standup.Ptr(10).
func Ptr[T any](value T) *T {
	return &value
}
