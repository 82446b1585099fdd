import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack();
});
afterAll(() => slack.close());

/** Blocks of the message that shows a text. */
async function blocksWith(text: string): Promise<unknown> {
  const call = await until(async () => {
    await slack.work();
    return slack.slack.of('chat.postMessage').find(({body}) => String(body['text']).includes(text));
  });
  return call.body['blocks'];
}

const post = (update: string) =>
  slack.core.services.standups.postStandup(slack.operator(), {team: 'platform', update, source: 'api'});

test('regression: a standup shows addresses as links, emoji as emoji, and lists as lists', async () => {
  await post('Merged https://example.com/PR/1 :rocket: *today*\n• one\n• two');
  const blocks = (await blocksWith('Merged')) as {type: string}[];
  expect(blocks.filter(({type}) => type === 'rich_text')).toMatchObject([
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [
            {type: 'text', text: 'operator', style: {bold: true}},
            {type: 'text', text: '\n'},
            {type: 'text', text: 'Merged '},
            {type: 'link', url: 'https://example.com/PR/1'},
            {type: 'text', text: ' '},
            {type: 'emoji', name: 'rocket'},
            {type: 'text', text: ' '},
            {type: 'text', text: 'today', style: {bold: true}},
            {type: 'text', text: '\n'},
          ],
        },
        {type: 'rich_text_list', style: 'bullet', indent: 0, elements: [{}, {}]},
      ],
    },
  ]);
});

test('regression: a user that Slack mentions by id is stored by name', async () => {
  const {people} = slack.core.services;
  await people.ensureSlackMember(slack.operator(), 'UADA', {name: 'Ada Lovelace', timezone: null});
  await slack.command('paired with <@UADA|ada.l>');
  expect((await slack.standups())[0]?.update).toBe('paired with @Ada Lovelace');
});

test('code that is cut into two messages remains code in both', async () => {
  // An ampersand counts as five characters in the text of a message.
  const code = Array.from(
    {length: 60},
    (_, i) => `line ${i} ${'&'.repeat(10)} https://evil.example/ @operator`,
  );
  await post(`begin\n\`\`\`\n${code.join('\n')}\n\`\`\``);
  await blocksWith('line 59');
  const parts = slack.slack.of('chat.postMessage').filter(({body}) => String(body['text']).includes('line '));
  expect(parts.length).toBeGreaterThan(1);
  const all = JSON.stringify(parts.map(({body}) => body['blocks']));
  expect(all).not.toMatch(/"type":"(?:link|user)"/);
  expect(all.match(/rich_text_preformatted/g)?.length).toBeGreaterThan(1);
});

test('the headings of a standup are bold, and the same text elsewhere is not', async () => {
  await post('Today\nFix it, says\nToday\n\nBlockers\nnone');
  const blocks = (await blocksWith('Fix it')) as {type: string; elements: {elements: object[]}[]}[];
  const [section] = blocks.find(({type}) => type === 'rich_text')?.elements ?? [];
  expect(section?.elements).toEqual([
    {type: 'text', text: 'operator', style: {bold: true}},
    {type: 'text', text: '\n'},
    {type: 'text', text: 'Today', style: {bold: true}},
    {type: 'text', text: '\nFix it, says\nToday\n\n'},
    {type: 'text', text: 'Blockers', style: {bold: true}},
    {type: 'text', text: '\nnone'},
  ]);
});
