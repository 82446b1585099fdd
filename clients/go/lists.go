package standup

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// emptyPause is the shortest time between two requests for events without an event.
const emptyPause = time.Second

// Page is a page of a list.
type Page[T any] struct {
	Data    []T  `json:"data"`
	HasMore bool `json:"has_more"`
	// NextCursor continues the list. You can keep it. It is nil at the end of most lists.
	NextCursor *string `json:"next_cursor"`
}

// Posted is the answer to [Client.PostStandup].
type Posted struct {
	// ShownStandup is the standup, or the first one of several teams.
	ShownStandup
	// All has the standup of each team, in the order of the teams in the request.
	All []ShownStandup
}

// UnmarshalJSON reads a standup, or a list of them.
func (p *Posted) UnmarshalJSON(body []byte) error {
	var list Page[ShownStandup]
	if err := json.Unmarshal(body, &list); err != nil {
		return err
	}
	if len(list.Data) == 0 {
		list.Data = make([]ShownStandup, 1)
		if err := json.Unmarshal(body, &list.Data[0]); err != nil {
			return err
		}
	}
	p.ShownStandup = list.Data[0]
	p.All = list.Data
	return nil
}

// Paginate walks through a whole list. It calls fetch for each page, at first with nil:
//
//	teams := standup.Paginate(func(cursor *string) (*standup.Page[standup.Team], error) {
//		return client.ListTeams(ctx, &standup.ListTeamsParams{Cursor: cursor})
//	})
//	for team, err := range teams { … }
//
// After an error the walk ends.
func Paginate[T any](fetch func(cursor *string) (*Page[T], error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var cursor *string
		for {
			page, err := fetch(cursor)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range page.Data {
				if !yield(item, nil) {
					return
				}
			}
			if !page.HasMore || page.NextCursor == nil {
				return
			}
			cursor = page.NextCursor
		}
	}
}

// EventBatch is what one request for events returned.
type EventBatch struct {
	// Events are in the order in which they happened. There are none if only others happened.
	Events []Event
	// Cursor continues after these events. Keep it once you have processed them.
	Cursor string
}

// FollowEvents returns all events after a cursor, then each new one when it happens. An empty cursor begins
// with the oldest event that is kept.
//
//	for batch, err := range client.FollowEvents(ctx, kept, nil) {
//		if err != nil { return err }
//		for _, event := range batch.Events { process(event) }
//		keep(batch.Cursor)
//	}
//
// It ends with an error: that of the context, a [Problem], or that of a service that could not be reached for
// longer than a call may take. Continue later with the last cursor, and with the same params. After 30 days
// the code is cursor_expired.
func (c *Client) FollowEvents(
	ctx context.Context, cursor string, params *ListEventsParams, options ...CallOption,
) iter.Seq2[EventBatch, error] {
	return func(yield func(EventBatch, error) bool) {
		request := ListEventsParams{}
		if params != nil {
			request = *params
		}
		if request.Wait == nil {
			request.Wait = Ptr(30)
		}
		if request.Limit == nil {
			request.Limit = Ptr(100)
		}
		position := cursor
		for {
			began := time.Now()
			request.Cursor = nil
			if position != "" {
				request.Cursor = Ptr(position)
			}
			page, err := c.ListEvents(ctx, &request, options...)
			if err != nil {
				yield(EventBatch{}, err)
				return
			}
			if page.NextCursor == nil || *page.NextCursor == position {
				// A service that is stopping does not wait.
				select {
				case <-ctx.Done():
					yield(EventBatch{}, ctx.Err())
					return
				case <-time.After(emptyPause - time.Since(began)):
					continue
				}
			}
			position = *page.NextCursor
			if !yield(EventBatch{Events: page.Data, Cursor: position}, nil) {
				return
			}
		}
	}
}
