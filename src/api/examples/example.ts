// Examples of the OpenAPI document: real requests that a test sends, and their answers. Each feature has its
// own. Not here: schemas (schemas.ts of each feature), nor anything a request is checked by.

/** An example of one operation. Path parameters have one example each, in `ids.ts`. */
export interface OperationExample {
  /** Query parameters worth showing, as they are in the address. */
  readonly query?: Readonly<Record<string, string>>;
  /** The body, when the operation takes one. */
  readonly body?: object;
  /** The whole body of the answer; absent when it has none. */
  readonly answer?: object;
  /** The text of a streamed answer, by media type. */
  readonly streams?: Readonly<Record<string, string>>;
}

/** By the name of the operation. */
export type Examples = Readonly<Record<string, OperationExample>>;

/** The last page of a list. */
export function lastPage(...data: readonly object[]): object {
  return {object: 'list', data, has_more: false, next_cursor: null};
}
