// Examples in the OpenAPI document: requests that a test really sends, and their answers. Each feature has
// its own. Schemas are elsewhere (schemas.ts of each feature).

/** An example of one operation. Path parameters have one shared example each, in `ids.ts`. */
export interface OperationExample {
  /** Query parameters of the example, as they appear in the address. */
  readonly query?: Readonly<Record<string, string>>;
  /** The request body, for an operation that takes one. */
  readonly body?: object;
  /** The whole body of the answer; absent for an answer without one. */
  readonly answer?: object;
  /** The text of a streamed answer, for each media type. */
  readonly streams?: Readonly<Record<string, string>>;
}

/** Examples by the names of their operations. */
export type Examples = Readonly<Record<string, OperationExample>>;

/** Creates the last page of a list with these entries. */
export function lastPage(...data: readonly object[]): object {
  return {object: 'list', data, has_more: false, next_cursor: null};
}
