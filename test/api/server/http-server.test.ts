import {createServer, IncomingMessage, type RequestListener, type Server, ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {expect, it} from '@jest/globals';
import express, {type Express} from 'express';
import {createHttpServer} from '../../../src/api/server/http-server.js';

/** Answers one request. Returns how often Express had to replace a prototype for it. */
async function countReplacedPrototypes(createFor: (app: Express) => Server) {
  const app = express();
  const seen = {request: false, response: false};
  app.get('/', (request, response) => {
    seen.request = request instanceof IncomingMessage && Object.getPrototypeOf(request) === app.request;
    seen.response = response instanceof ServerResponse && Object.getPrototypeOf(response) === app.response;
    response.json({header: request.get('x-test')});
  });
  const server = createFor(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const original = Object.setPrototypeOf;
  let replaced = 0;
  Object.setPrototypeOf = function setPrototypeOf<T>(target: T, prototype: object | null): T {
    const isOurs = target instanceof IncomingMessage || target instanceof ServerResponse;
    if (isOurs && Object.getPrototypeOf(target) !== prototype) replaced += 1;
    return original(target, prototype) as T;
  };
  try {
    const {port} = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/`, {headers: {'x-test': 'here'}});
    return {seen, replaced, body: await answer.json()};
  } finally {
    Object.setPrototypeOf = original;
    server.close();
    server.closeAllConnections();
  }
}

const expected = {seen: {request: true, response: true}, body: {header: 'here'}};

it('requests and responses have the prototypes that Express would give them', async () => {
  const options = {publicUrl: 'http://localhost', requestId: () => 'req_test'};
  const ours = await countReplacedPrototypes((app) => createHttpServer(app, options));
  expect(ours).toEqual({...expected, replaced: 0});
});

it('a request has 10 s for its headers and 30 s for all of it', () => {
  const {headersTimeout, requestTimeout} = createHttpServer(express(), {
    publicUrl: 'http://localhost',
    requestId: () => 'req_test',
  });
  expect({headersTimeout, requestTimeout}).toEqual({headersTimeout: 10_000, requestTimeout: 30_000});
});

it('the prototypes of Node are replaced, which the other tests would otherwise not notice', async () => {
  const plain = await countReplacedPrototypes((app) => createServer(app as RequestListener));
  expect(plain).toEqual({...expected, replaced: 2});
});
