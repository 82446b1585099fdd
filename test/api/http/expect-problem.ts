import {expect} from '@jest/globals';
import {type ProblemCode, problemKinds} from '../../../src/api/http/problems.js';
import type {Json, TestResponse} from '../../support/service.js';

/** The source of the error in a problem. */
export interface ErrorSource {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}

/** Checks everything that all RFC 9457 answers of the service have, and returns the body. */
export function expectProblem(answer: TestResponse, code: ProblemCode, source?: ErrorSource): Json {
  const {status, title} = problemKinds[code];
  const {body, headers} = answer;
  expect({status: answer.status, code: body?.code}).toEqual({status, code});
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(Object.keys(body)).toEqual([
    'type',
    'title',
    'status',
    'detail',
    'instance',
    'code',
    'request_id',
    ...(body.errors === undefined ? [] : ['errors']),
    ...(body.tries_left === undefined ? [] : ['tries_left']),
  ]);
  expect(body).toMatchObject({title, status, request_id: headers.get('x-request-id')});
  expect(body.type).toMatch(new RegExp(`^http://localhost:\\d+/problems/${code}$`));
  expect(body.detail).toMatch(/^\S.{3,}/);
  expect(body.instance).toMatch(/^\/[^?]*$/);
  if (source !== undefined) {
    expect(body.errors).toContainEqual({code, detail: expect.stringMatching(/\S/), ...source});
  }
  return body;
}
