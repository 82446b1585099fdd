/** Words that users found unclear in texts, each with the usual word. */
const usual = {
  anew: 'again',
  'any more': 'no longer',
  'as it stands': 'as it is',
  everybody: 'everyone',
  'for good': 'permanently',
  'looks after': 'is on',
  meanwhile: 'in the meantime',
  nobody: 'no one',
  somebody: 'someone',
  'take part': 'post',
  'takes part': 'posts',
  told: 'notified',
  whoever: 'anyone who',
  whom: 'who',
};
export const unusual = new RegExp(`\\b(?:${Object.keys(usual).join('|')})\\b`, 'i');

export const maxWordsOfSentence = 25;
