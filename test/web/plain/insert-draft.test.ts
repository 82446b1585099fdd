import {describe, expect, it} from '@jest/globals';
import {buildFormFields} from '../../../web/write/compose.ts';
import {composePartText, type DraftPart, insertDraftParts} from '../../../web/write/insert-draft.ts';

const labels = {yesterday: 'Yesterday', today: 'Today', blockers: 'Blockers', beside: 'Anything else'};
const standard = buildFormFields([], labels, false);
const question = (key: string, type = 'text', more = {}) => ({
  key,
  type,
  label: `${key}?`,
  required: false,
  ...more,
});

function part(given: Partial<DraftPart>): DraftPart {
  const by = {type: 'service_account', id: 'svc_x'};
  return {source: 'git', update: null, answers: [], links: [], updated_by: by, updated_at: '', ...given};
}

const answer = (key: string, value: string | number | string[], type = 'text') => ({
  question: key,
  type,
  label: `${key}?`,
  value,
});

describe('the text of a part of a draft', () => {
  it('has its links at the end, without those that it names already', () => {
    const links = [
      {url: 'https://a.example/1', title: 'One'},
      {url: 'https://a.example/2', title: ' Two '},
    ];
    const given = {update: ' Fixed https://a.example/1. ', links};
    expect(composePartText(given)).toBe('Fixed https://a.example/1.\nTwo https://a.example/2');
    expect(composePartText({update: null, links: []})).toBe('');
  });
});

describe('a draft that is inserted', () => {
  it('fills the field for what was done, with all parts', () => {
    const parts = [part({update: 'Merged #42.'}), part({update: 'Closed ENG-7.'})];
    expect(insertDraftParts(parts, standard, {}, 'plain')).toEqual({
      yesterday: 'Merged #42.\n\nClosed ENG-7.',
    });
  });

  it('comes after the text that is in the field', () => {
    const values = {yesterday: 'The plan of Friday.\n', today: 'Typed.'};
    expect(insertDraftParts([part({update: 'Merged #42.'})], standard, values, 'plain')).toEqual({
      yesterday: 'The plan of Friday.\n\nMerged #42.',
    });
  });

  it('fills the questions that it answers, and keeps the answers that are there', () => {
    const fields = buildFormFields(
      [question('today'), question('mood', 'mood'), question('tools', 'choice', {options: ['Pen']})],
      labels,
      false,
    );
    const answers = [
      answer('today', 'Retries.'),
      answer('mood', 4, 'mood'),
      answer('tools', ['Pen'], 'choice'),
    ];
    expect(insertDraftParts([part({answers})], fields, {today: 'Mine.', mood: 2}, 'plain')).toEqual({
      today: 'Mine.\n\nRetries.',
      tools: ['Pen'],
      '+beside': 'mood? good (4 of 5)',
    });
  });

  it('writes answers to removed questions and options into the field for further text', () => {
    const fields = buildFormFields([question('tools', 'choice', {options: ['Pen']})], labels, false);
    const answers = [answer('gone', 'Words.'), answer('tools', ['Ink'], 'choice')];
    expect(insertDraftParts([part({answers})], fields, {}, 'plain')).toEqual({
      '+beside': 'gone? Words.\ntools? Ink',
    });
  });

  it('fills the question about the last days if it has room, and the field for further text otherwise', () => {
    const fields = buildFormFields([question('yesterday'), question('today')], labels, false);
    expect(insertDraftParts([part({update: 'Short.'})], fields, {}, 'plain')).toEqual({yesterday: 'Short.'});
    const long = 'x'.repeat(2_001);
    expect(insertDraftParts([part({update: long})], fields, {}, 'plain')).toEqual({'+beside': long});
  });

  it('is escaped in a form with formatting, since programs write plain text', () => {
    const links = [{url: 'https://a.example/a_b', title: '*One*'}];
    const given = part({update: '- Fixed __init__', links, answers: [answer('gone', '*Words*')]});
    expect(insertDraftParts([given], standard, {yesterday: '**Mine**'}, 'markdown')).toEqual({
      yesterday:
        '**Mine**\n\n\\- Fixed \\_\\_init\\_\\_\n\\*One\\* https://a.example/a_b\n\ngone? \\*Words\\*',
    });
  });
});
