import {afterEach, beforeEach, describe, expect, test} from '@jest/globals';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {isSlackAddress, postResponse} from '../../src/bot/slack/core/responses.js';
import {type LogLine, createRecordingLog} from '../support/slack-harness.js';

describe('a private answer', () => {
  let server: Server;
  let url: string;
  let taken: string[];
  beforeEach(async () => {
    taken = [];
    server = createServer((request, response) => {
      taken.push(request.url ?? '');
      response.end('ok');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  test.each([undefined, 'http://127.0.0.1:1/api/'])(
    'is not sent to an address that is not Slack’s (SLACK_API_URL %s), and the log says so',
    async (apiUrl) => {
      const lines: LogLine[] = [];
      await postResponse({log: createRecordingLog(lines), apiUrl}, `${url}/inside`, {text: 'words'});
      expect(taken).toEqual([]);
      expect(lines.map(({message}) => message)).toEqual([
        'did not send a private answer: its address does not belong to Slack',
      ]);
    },
  );

  test('is sent to SLACK_API_URL when that setting has a value', async () => {
    await postResponse({log: createRecordingLog([]), apiUrl: `${url}/api/`}, `${url}/respond/1`, {
      text: 'words',
    });
    expect(taken).toEqual(['/respond/1']);
  });

  test.each([
    'https://hooks.slack.com/commands/T1/1/x',
    'https://hooks.slack.com/actions/T1/1/x',
    'https://hooks.slack-gov.com/actions/T1/1/x',
  ])('is sent to %s', (address) => {
    expect(isSlackAddress(address, undefined)).toBe(true);
  });

  test.each([
    'http://hooks.slack.com/x',
    'https://hooks.slack.com:8443/x',
    'https://hooks.slack.com.evil.test/x',
    'https://evilslack.com/x',
    'https://hooks.slack.com@evil.test/x',
    'https://evil.test/#hooks.slack.com',
    'https://169.254.169.254/x',
    'nowhere',
  ])('is not sent to %s', (address) => {
    expect(isSlackAddress(address, undefined)).toBe(false);
  });
});
