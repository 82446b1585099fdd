import type {Words} from '../catalogue.js';

export const text: Words['text'] = {
  unknown: {user: 'jemand', channel: '#ein-channel', group: 'eine-gruppe'},
  addedFrom({author, channel, link}) {
    const where = channel === undefined ? undefined : author === undefined ? channel : `in ${channel}`;
    const known = [author, where].filter((part) => part !== undefined).join(', ');
    if (link === undefined) return known === '' ? '' : `Von ${known}:`;
    return known === '' ? `Von ${link}:` : `Von ${known} (${link}):`;
  },
};
