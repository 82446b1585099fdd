import {expect, test} from '@jest/globals';
import {readPictureAddress} from '../../src/bot/slack/core/profiles.js';

test.each([
  'http://avatars.slack-edge.com/a_48.png',
  'https://slack-edge.com.example.com/a_48.png',
  'https://notslack-edge.com/a_48.png',
  'https://avatars.slack-edge.com@example.com/a_48.png',
  'https://user@avatars.slack-edge.com/a_48.png',
  'https://:secret@avatars.slack-edge.com/a_48.png',
  'https://avatars.slack-edge.com:8443/a_48.png',
  'https://avatars.ѕlack-edge.com/a_48.png',
  'javascript:alert(1)//avatars.slack-edge.com',
  'data:image/png;base64,AAAA',
  '//avatars.slack-edge.com/a_48.png',
  `https://avatars.slack-edge.com/${'a'.repeat(300)}`,
  '',
])(
  'regression: a picture is shown only from Slack’s own host by a bare address, so %j is refused',
  (image_48) => {
    expect(readPictureAddress({profile: {image_48}})).toBeUndefined();
  },
);

test('a picture from Slack is shown', () => {
  const image_48 = 'https://avatars.slack-edge.com/2026-11-22/a_48.png';
  expect(readPictureAddress({profile: {image_48}})).toBe(image_48);
});
