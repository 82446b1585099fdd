package standup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// service answers requests without a network, so that the clock of a test can stand still.
type service struct {
	requests []sent
	answer   func(number int, request *http.Request) (*http.Response, error)
}

type sent struct {
	method, url, body string
	header            http.Header
	at                time.Time
}

func (s *service) RoundTrip(request *http.Request) (*http.Response, error) {
	body := ""
	if request.Body != nil {
		read, err := io.ReadAll(request.Body)
		if err != nil {
			return nil, err
		}
		body = string(read)
	}
	s.requests = append(s.requests, sent{request.Method, request.URL.String(), body, request.Header, time.Now()})
	response, err := s.answer(len(s.requests), request)
	if response != nil {
		response.Request = request
	}
	return response, err
}

func respond(status int, body string, headers ...string) (*http.Response, error) {
	header := http.Header{"Content-Type": {"application/json"}}
	for at := 0; at < len(headers); at += 2 {
		header.Set(headers[at], headers[at+1])
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(body))}, nil
}

func respondAlways(status int, body string, headers ...string) *service {
	return &service{answer: func(int, *http.Request) (*http.Response, error) {
		return respond(status, body, headers...)
	}}
}

func clientOf(t *testing.T, s *service, options ...Option) *Client {
	t.Helper()
	options = append([]Option{WithHTTPClient(&http.Client{Transport: s})}, options...)
	client, err := New("https://standup.example.test/", "token", options...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func expect[T comparable](t *testing.T, found, wanted T) {
	t.Helper()
	if found != wanted {
		t.Errorf("found %v, wanted %v", found, wanted)
	}
}

func problemOf(t *testing.T, err error) *Problem {
	t.Helper()
	var problem *Problem
	if !errors.As(err, &problem) {
		t.Fatalf("%v is no problem", err)
	}
	return problem
}

const oneStandup = `{"id":"std_1","object":"standup","team":"platform","update":"Done.","revision":3}`

func TestTriesAgainWithOneKeyAfterNoAnswerAnd429And5xx(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{answer: func(number int, _ *http.Request) (*http.Response, error) {
			switch number {
			case 1:
				return nil, errors.New("connection reset")
			case 2:
				return respond(503, `{"code":"service_unavailable"}`, "Retry-After", "4")
			case 3:
				return respond(429, `{"code":"rate_limited"}`)
			case 4:
				response, _ := respond(201, "")
				response.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"id":`), brokenReader{}))
				return response, nil
			default:
				return respond(201, oneStandup)
			}
		}}
		posted, err := clientOf(t, s).PostStandup(t.Context(), NewStandup{Team: Ptr("platform"), Update: Ptr("Done.")})
		if err != nil {
			t.Fatal(err)
		}
		expect(t, posted.ID, "std_1")
		expect(t, len(s.requests), 5)
		if waited := s.requests[2].at.Sub(s.requests[1].at); waited < 4*time.Second || waited > 5*time.Second {
			t.Errorf("waited %s instead of Retry-After", waited)
		}
		for _, one := range s.requests {
			expect(t, one.header.Get("Idempotency-Key"), s.requests[0].header.Get("Idempotency-Key"))
			expect(t, one.body, `{"team":"platform","update":"Done."}`)
			expect(t, one.header.Get("Authorization"), "Bearer token")
		}
		if len(s.requests[0].header.Get("Idempotency-Key")) < 20 {
			t.Error("the key can be guessed")
		}
	})
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func hang(_ int, request *http.Request) (*http.Response, error) {
	<-request.Context().Done()
	return nil, request.Context().Err()
}

func TestGivesUpAfterThirtySeconds(t *testing.T) {
	for name, s := range map[string]*service{
		"of errors":  respondAlways(500, `{"code":"internal_error"}`),
		"of silence": {answer: hang},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				_, err := clientOf(t, s).GetMe(t.Context())
				if err == nil {
					t.Fatal("no error")
				}
				if took := time.Since(began); took > 30*time.Second || took < 20*time.Second {
					t.Errorf("took %s", took)
				}
				if len(s.requests) < 3 {
					t.Errorf("only %d tries", len(s.requests))
				}
				if errors.Is(err, context.Canceled) {
					t.Errorf("%v looks as if the caller had cancelled it", err)
				}
			})
		})
	}
}

func TestReturnsAtOnceWhenTheServiceAsksToWaitForLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		s := respondAlways(429, `{"code":"rate_limited"}`, "Retry-After", "60")
		_, err := clientOf(t, s).GetMe(t.Context())
		expect(t, problemOf(t, err).RetryAfter, time.Minute)
		expect(t, time.Since(began), 0)
		expect(t, len(s.requests), 1)
	})
}

func TestARefusalIsNotRepeatedAndIsATypedError(t *testing.T) {
	s := respondAlways(422, `{"code":"validation_failed","title":"Invalid","status":422,"detail":"One error.",
		"request_id":"req_1","errors":[{"code":"too_long","detail":"Too long.","pointer":"#/update"}]}`)
	_, err := clientOf(t, s).PostStandup(t.Context(), NewStandup{})
	problem := problemOf(t, err)
	expect(t, len(s.requests), 1)
	expect(t, problem.Code, "validation_failed")
	expect(t, problem.Status, 422)
	expect(t, problem.RequestID, "req_1")
	expect(t, problem.Errors[0].Pointer, "#/update")
	expect(t, err.Error(), "standup: 422 validation_failed: One error. [#/update: Too long.]")
}

func TestAnAnswerOfAProxyIsATypedErrorToo(t *testing.T) {
	s := respondAlways(403, "<html>no</html>", "Content-Type", "text/html", "X-Request-Id", "req_2")
	_, err := clientOf(t, s).GetMe(t.Context())
	problem := problemOf(t, err)
	expect(t, problem.Status, 403)
	expect(t, problem.RequestID, "req_2")
	expect(t, err.Error(), "standup: 403 Forbidden")
}

func TestASuccessThatIsNoJSONIsAnError(t *testing.T) {
	_, err := clientOf(t, respondAlways(200, "<html>sign in</html>", "Content-Type", "text/html")).GetMe(t.Context())
	if err == nil {
		t.Error("no error")
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	s := respondAlways(302, "", "Location", "https://elsewhere.example.test/")
	_, err := clientOf(t, s).PostStandup(t.Context(), NewStandup{})
	expect(t, problemOf(t, err).Status, 302)
	expect(t, len(s.requests), 1)
}

func TestACancelledContextEndsTheTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		s := respondAlways(503, `{}`, "Retry-After", "5")
		_, err := clientOf(t, s).GetMe(ctx)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v is not the error of the context", err)
		}
		expect(t, len(s.requests), 1)
	})
}

func TestARequestThatWaitsIsNotCutShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{answer: func(_ int, request *http.Request) (*http.Response, error) {
			select {
			case <-request.Context().Done():
				return nil, request.Context().Err()
			case <-time.After(30 * time.Second):
				return respond(200, `{"data":[],"has_more":false,"next_cursor":"c"}`)
			}
		}}
		page, err := clientOf(t, s).ListEvents(t.Context(), &ListEventsParams{Wait: Ptr(30)})
		if err != nil {
			t.Fatal(err)
		}
		expect(t, *page.NextCursor, "c")
		expect(t, len(s.requests), 1)
	})
}

func TestAStreamMayLastForLongerThanATry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reader, writer := io.Pipe()
		s := &service{answer: func(_ int, request *http.Request) (*http.Response, error) {
			context.AfterFunc(request.Context(), func() { writer.CloseWithError(request.Context().Err()) })
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: reader}, nil
		}}
		stream, err := clientOf(t, s).ExportStandups(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			time.Sleep(time.Hour)
			fmt.Fprint(writer, "late")
			writer.Close()
		}()
		text, err := io.ReadAll(stream)
		expect(t, string(text), "late")
		expect(t, err, nil)
		expect(t, stream.Close(), nil)
	})
}

func TestAShorterLimitHoldsForTheFirstTryToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		s := &service{answer: hang}
		if _, err := clientOf(t, s, WithRetryTime(2*time.Second)).GetMe(t.Context()); err == nil {
			t.Error("no error")
		}
		expect(t, time.Since(began), 2*time.Second)
	})
}

func TestRetriesCanBeTurnedOff(t *testing.T) {
	s := respondAlways(500, `{}`)
	_, err := clientOf(t, s, WithRetryTime(0)).GetMe(t.Context())
	expect(t, problemOf(t, err).Status, 500)
	expect(t, len(s.requests), 1)
}

func TestKeysAndRevisionsAndHeaders(t *testing.T) {
	s := respondAlways(200, oneStandup)
	client := clientOf(t, s)
	var response *http.Response
	if _, err := client.GetStandup(t.Context(), "std_1", WithResponseInto(&response)); err != nil {
		t.Fatal(err)
	}
	expect(t, s.requests[0].header.Get("Idempotency-Key"), "")
	expect(t, response.StatusCode, 200)

	edited, err := client.EditStandup(t.Context(), "std_1", StandupChange{Update: Ptr("More.")},
		IfMatch(ShownStandup{Revision: 3}), WithIdempotencyKey("mine"), WithNull("blockers"))
	if err != nil {
		t.Fatal(err)
	}
	expect(t, s.requests[1].header.Get("If-Match"), `"3"`)
	expect(t, s.requests[1].header.Get("Idempotency-Key"), "mine")
	expect(t, s.requests[1].body, `{"blockers":null,"update":"More."}`)

	for range 2 {
		if err := client.DeleteStandup(t.Context(), edited.ID, IfMatch(edited)); err != nil {
			t.Fatal(err)
		}
	}
	if s.requests[2].header.Get("Idempotency-Key") == s.requests[3].header.Get("Idempotency-Key") {
		t.Error("two calls have one key")
	}
	expect(t, s.requests[2].body, "")
	expect(t, s.requests[2].header.Get("Content-Type"), "")
}

func TestAnOptionalBodyIsLeftOut(t *testing.T) {
	s := respondAlways(201, `{}`)
	if _, err := clientOf(t, s).OpenRun(t.Context(), "platform", nil); err != nil {
		t.Fatal(err)
	}
	expect(t, s.requests[0].body, "")
}

func TestNamesInPathsAreEscapedAndNoneLeadsElsewhere(t *testing.T) {
	s := respondAlways(200, `{}`)
	client := clientOf(t, s)
	if _, err := client.GetTeam(t.Context(), "a/../b?c"); err != nil {
		t.Fatal(err)
	}
	expect(t, s.requests[0].url, "https://standup.example.test/v1/teams/a%2F..%2Fb%3Fc")
	for _, name := range []string{"", ".", ".."} {
		if err := client.DeleteTeam(t.Context(), name, nil); err == nil {
			t.Errorf("%q was accepted", name)
		}
	}
	expect(t, len(s.requests), 1)
}

func TestParametersOfAQuery(t *testing.T) {
	s := respondAlways(200, `{"data":[]}`)
	at := time.Date(2026, 11, 23, 10, 0, 0, 5e8, time.FixedZone("", 3600))
	_, err := clientOf(t, s).ListStandups(t.Context(), &ListStandupsParams{
		Team: &[]string{"platform", "mobile"}, Limit: Ptr(2), CreatedAfter: &at, Q: Ptr("a&b"),
		Order: Ptr(ListStandupsParamsOrderAsc),
	})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, s.requests[0].url, "https://standup.example.test/v1/standups?created_after="+
		"2026-11-23T09%3A00%3A00.5Z&limit=2&order=asc&q=a%26b&team=platform%2Cmobile")
}

func TestWrongSettingsAreErrorsAtOnce(t *testing.T) {
	for _, address := range []string{"", "standup.example.test", "ftp://standup.example.test", "https://",
		"https://standup.example.test?a=b", "https://standup.example.test/#a"} {
		if _, err := New(address, "token"); err == nil {
			t.Errorf("%q was accepted", address)
		}
	}
	if _, err := New("https://standup.example.test", ""); err == nil {
		t.Error("an empty token was accepted")
	}
	s := respondAlways(200, `{}`)
	client := clientOf(t, s)
	client.token = "line\r\nbreak"
	if _, err := client.GetMe(t.Context()); err == nil {
		t.Error("a token with a line break was accepted")
	}
	expect(t, len(s.requests), 0)
}

func TestAPrintedClientShowsNoToken(t *testing.T) {
	client := clientOf(t, respondAlways(200, `{}`))
	for _, printed := range []string{fmt.Sprint(client), fmt.Sprintf("%+v", client), fmt.Sprintf("%#v", client)} {
		expect(t, printed, "standup client of https://standup.example.test")
	}
}

// pages are three. The last one has a cursor too, as in the feed of events.
func pages(number int, request *http.Request) (*http.Response, error) {
	next := map[string]string{"": "two", "two": "three", "three": "later"}[request.URL.Query().Get("cursor")]
	return respond(200, fmt.Sprintf(`{"data":[{"id":"%d"}],"has_more":%t,"next_cursor":%q}`, number, number < 3, next))
}

func listIDs(client *Client, ctx context.Context, last string) (ids []string, err error) {
	for team, err := range Paginate(func(cursor *string) (*Page[Team], error) {
		return client.ListTeams(ctx, &ListTeamsParams{Cursor: cursor, Limit: Ptr(1)})
	}) {
		if err != nil {
			return ids, err
		}
		ids = append(ids, team.ID)
		if team.ID == last {
			break
		}
	}
	return ids, nil
}

func TestPaginateWalksThroughAllPages(t *testing.T) {
	s := &service{answer: pages}
	ids, err := listIDs(clientOf(t, s), t.Context(), "")
	expect(t, err, nil)
	expect(t, strings.Join(ids, " "), "1 2 3")
}

func TestPaginateFetchesNoPageThatIsNotNeeded(t *testing.T) {
	s := &service{answer: pages}
	ids, _ := listIDs(clientOf(t, s), t.Context(), "2")
	expect(t, strings.Join(ids, " "), "1 2")
	expect(t, len(s.requests), 2)
}

func TestPaginateEndsWithAnError(t *testing.T) {
	s := &service{answer: func(number int, request *http.Request) (*http.Response, error) {
		if number == 2 {
			return respond(410, `{"code":"cursor_expired"}`)
		}
		return pages(number, request)
	}}
	ids, err := listIDs(clientOf(t, s), t.Context(), "")
	expect(t, strings.Join(ids, " "), "1")
	expect(t, problemOf(t, err).Code, "cursor_expired")
}

func TestFollowEventsGivesACursorAfterEachBatchAndBeginsAtIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{answer: func(number int, _ *http.Request) (*http.Response, error) {
			switch number {
			case 1:
				return respond(200, `{"data":[{"id":"evt_1"},{"id":"evt_2"}],"has_more":true,"next_cursor":"b"}`)
			case 2:
				return respond(200, `{"data":[],"has_more":false,"next_cursor":"c"}`)
			case 3:
				return respond(200, `{"data":[],"has_more":false,"next_cursor":"c"}`)
			default:
				return respond(410, `{"code":"cursor_expired"}`)
			}
		}}
		params := &ListEventsParams{Types: Ptr("standup.*"), Cursor: Ptr("ignored")}
		cursors := []string{}
		var last error
		for batch, err := range clientOf(t, s).FollowEvents(t.Context(), "a", params) {
			last = err
			if err == nil {
				cursors = append(cursors, fmt.Sprint(len(batch.Events), batch.Cursor))
			}
		}
		expect(t, strings.Join(cursors, " "), "2b 0c")
		expect(t, problemOf(t, last).Code, "cursor_expired")
		asked := []string{}
		for _, one := range s.requests {
			_, query, _ := strings.Cut(one.url, "?")
			asked = append(asked, strings.TrimSuffix(query, "&limit=100&types=standup.%2A&wait=30"))
		}
		expect(t, strings.Join(asked, " "), "cursor=a cursor=b cursor=c cursor=c")
		expect(t, *params.Cursor, "ignored")
		expect(t, s.requests[2].at.Sub(s.requests[1].at), 0)
		expect(t, s.requests[3].at.Sub(s.requests[2].at), time.Second)
	})
}

func TestFollowEventsEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(59500*time.Millisecond, cancel)
		s := respondAlways(200, `{"data":[],"has_more":false,"next_cursor":"a"}`)
		var last error
		for _, err := range clientOf(t, s).FollowEvents(ctx, "a", nil) {
			last = err
		}
		if !errors.Is(last, context.Canceled) {
			t.Errorf("%v is not the error of the context", last)
		}
		expect(t, len(s.requests), 60)
	})
}

func TestPostedHasOneStandupOrThoseOfAllTeams(t *testing.T) {
	var one, several Posted
	list := fmt.Sprintf(`{"object":"list","data":[%s,{"id":"std_2"}],"has_more":false,"next_cursor":null}`, oneStandup)
	if err := errors.Join(json.Unmarshal([]byte(oneStandup), &one), json.Unmarshal([]byte(list), &several)); err != nil {
		t.Fatal(err)
	}
	expect(t, one.ID, "std_1")
	expect(t, len(one.All), 1)
	expect(t, several.ID, "std_1")
	expect(t, several.All[1].ID, "std_2")
	expect(t, Revised(one).revision(), 3)
}

func TestEachParameterOfEachOperationCanBeSent(t *testing.T) {
	methods := reflect.TypeFor[*Client]()
	found := 0
	for at := range methods.NumMethod() {
		for in := range methods.Method(at).Type.NumIn() {
			given := methods.Method(at).Type.In(in)
			if given.Kind() != reflect.Pointer || !strings.HasSuffix(given.Elem().Name(), "Params") {
				continue
			}
			params := reflect.New(given.Elem())
			for field := range given.Elem().NumField() {
				value := params.Elem().Field(field)
				if value.Kind() == reflect.Pointer {
					value.Set(reflect.New(value.Type().Elem()))
				}
			}
			query, err := encodeQuery(params.Interface())
			if err != nil || len(query) != given.Elem().NumField() {
				t.Errorf("%s: %d parameters, %v", given, len(query), err)
			}
			found++
		}
	}
	if found < 40 {
		t.Errorf("only %d operations", found)
	}
}
