import {describe, expect, it} from '@jest/globals';
import {isInEmailDomain, normalizeEmailDomain} from '../../../src/domain/invites/email-domain.js';

describe('the domain of a link', () => {
  it.each([
    ['example.com', 'example.com'],
    ['EXAMPLE.Com', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ])('%s is stored as %s', (given, stored) => {
    expect(normalizeEmailDomain(given)).toBe(stored);
  });

  it.each([
    '',
    'example',
    '@example.com',
    'grace@example.com',
    'example.com.',
    '.example.com',
    'exa mple.com',
    'example.com/path',
    'example.com:25',
    'example.com, evil.example',
    '-example.com',
    '*.example.com',
    '[127.0.0.1]',
    'example.com\n',
    `${'a'.repeat(64)}.example`,
    'ｅｘａｍｐｌｅ.com',
    'example。com',
    'wor\u212A.example',
    'exam\u00ADple.com',
  ])('%j is refused', (given) => {
    expect(normalizeEmailDomain(given)).toBeUndefined();
  });
});

describe('the check of an address', () => {
  it.each(['grace@example.com', 'GRACE@EXAMPLE.COM', 'grace+standup@Example.com', 'g\u212Aace@example.com'])(
    'the address %s is in example.com',
    (address) => {
      expect(isInEmailDomain(address, 'example.com')).toBe(true);
    },
  );

  it.each([
    ['a domain below it', 'grace@sub.example.com'],
    ['a domain that begins like it', 'grace@example.com.evil.example'],
    ['a domain that ends like it', 'grace@evilexample.com'],
    ['a domain above it', 'grace@com'],
    ['a Cyrillic letter', 'grace@ex\u0430mple.com'],
    ['full-width letters', 'grace@ｅｘａｍｐｌｅ.com'],
    ['a full-width @', 'grace@evil.example＠example.com'],
    ['an ideographic full stop', 'grace@example。com'],
    ['a soft hyphen', 'grace@exam\u00ADple.com'],
    ['a final dot', 'grace@example.com.'],
    ['a quoted address before the @', '"grace@example.com"@evil.example'],
    ['a quoted local part', '"grace"@example.com'],
    ['two addresses', 'eve@evil.example,grace@example.com'],
    ['a comment', 'grace@evil.example(@example.com)'],
    ['a line break', 'grace@evil.example\r\nBcc: grace@example.com'],
    ['an address in brackets', 'Grace <grace@example.com>'],
    ['no local part', '@example.com'],
    ['no @', 'example.com'],
  ])('an address with %s is not in example.com: %j', (_, address) => {
    expect(isInEmailDomain(address, 'example.com')).toBe(false);
  });

  it('an address with U+212A in its domain is not in the domain with a K', () => {
    expect(isInEmailDomain('grace@wor\u212A.example', 'work.example')).toBe(false);
  });

  it.each(['lin@bücher.example', 'LIN@BÜCHER.example', 'lin@xn--bcher-kva.example'])(
    'an address of another script is in its domain in any spelling: %s',
    (address) => {
      expect(isInEmailDomain(address, 'xn--bcher-kva.example')).toBe(true);
      expect(isInEmailDomain(address, 'bucher.example')).toBe(false);
    },
  );
});
