import {describe, expect, it} from '@jest/globals';
import {AppError} from '../../../src/domain/core/errors.js';
import {describeError, maskSecrets} from '../../../src/domain/core/log.js';
import {measureCpuMs} from '../../support/stopwatch.js';

describe('an error in the log', () => {
  it('shows its kind, its message, its location and its cause', () => {
    const cause = Object.assign(new Error('connection refused'), {code: 'ECONNREFUSED'});
    const shown = describeError(new AppError('service_unavailable', 'The store cannot be reached.', {cause}));
    expect(shown).toEqual({
      type: 'AppError',
      code: 'service_unavailable',
      message: 'The store cannot be reached.',
      stack: expect.stringMatching(/^ +at .*log\.test\.ts/),
      cause: {
        type: 'Error',
        code: 'ECONNREFUSED',
        message: 'connection refused',
        stack: expect.stringMatching(/^ +at /),
      },
    });
  });

  it('shows no property that a library has added to it', () => {
    const error = Object.assign(new Error('refused'), {
      config: {headers: {authorization: 'a secret'}},
      data: 'words',
    });
    expect(JSON.stringify(describeError(error))).not.toMatch(/secret|words|config|data/);
  });

  it('does not repeat a text that could not be parsed', () => {
    let thrown: unknown;
    try {
      JSON.parse('What Grace wrote');
    } catch (error) {
      thrown = error;
    }
    expect(String(thrown)).toContain('Grace');
    const shown = describeError(new SyntaxError(String(thrown)));
    expect(JSON.stringify(shown)).not.toContain('Grace');
  });

  it('is written once even if its chain of causes is a cycle', () => {
    const error = new Error('round') as Error & {cause?: unknown};
    error.cause = error;
    expect(JSON.stringify(describeError(error)).match(/"round"/g)).toHaveLength(6);
  });

  it('is written as one line even if the thrown value is not an Error', () => {
    expect(describeError('the words of a person')).toEqual({
      type: 'string',
      message: 'something that is no Error was thrown',
    });
  });
});

describe('masking secrets in a line of the log', () => {
  it.each([
    ['token eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl refused', 'token <token> refused'],
    ['cut eyJhbGciOiJFZERTQSJ9.eyJzdWIi', 'cut <token>'],
    ['xoxb-12-34-abc and xapp-1-A-2-b', '<slack-token> and <slack-token>'],
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw==', '<webhook-secret>'],
    ['{"authorization":"Bearer abcdefgh.ijkl"}', '{"authorization":"Bearer <credentials>"}'],
    ['redis://:pass%40word@10.0.0.1:6379 is away', 'redis://<credentials>@10.0.0.1:6379 is away'],
    ['(1https://user:pw@example.com/a)', '(1https://<credentials>@example.com/a)'],
    ['https://user:pw@example.com/a', 'https://<credentials>@example.com/a'],
    ['https://hooks.slack.com/commands/T1/2/3', 'https://hooks.slack.com/<address>'],
    ['connect ECONNREFUSED 127.0.0.1:6379', 'connect ECONNREFUSED 127.0.0.1:6379'],
    ['see https://example.com/a?b=c@d', 'see https://example.com/a?b=c@d'],
  ])('writes %s as %s', (line, masked) => {
    expect(maskSecrets(line)).toBe(masked);
  });

  // Texts that a regular expression with lookaround would search again from every character.
  it.each([
    ['letters before a colon', `${'a'.repeat(200_000)} ://`],
    ['schemes without an end', 'a://'.repeat(50_000)],
    ['one scheme and no end', `https://${'a'.repeat(200_000)}`],
    ['tokens that do not go on', 'eyJ-'.repeat(50_000)],
    ['tokens of two parts', 'eyJaaaaaaaa.'.repeat(20_000)],
    ['beginnings of Slack tokens', 'xoxb-'.repeat(40_000)],
    ['beginnings of secrets', 'whsec_'.repeat(40_000)],
    ['schemes of credentials', 'Bearer '.repeat(30_000)],
    ['spaces after one', `Bearer ${' '.repeat(200_000)}`],
    ['addresses of Slack', 'hooks.slack.com/ '.repeat(12_000)],
  ])('takes linear time for %s', async (_, text) => {
    expect(await measureCpuMs(() => maskSecrets(`${text} ://`))).toBeLessThan(400);
  });
});
