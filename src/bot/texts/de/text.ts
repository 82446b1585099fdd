import type {Texts} from '../catalogue.js';

export const text: Texts['text'] = {
  unknown: {user: 'jemand', channel: '#ein-channel', group: 'eine-gruppe'},
  addedFrom({author, channel, link}) {
    const where = channel === undefined ? undefined : author === undefined ? channel : `in ${channel}`;
    const known = [author, where].filter((part) => part !== undefined).join(', ');
    if (link === undefined) return known === '' ? '' : `Von ${known}:`;
    return known === '' ? `Von ${link}:` : `Von ${known} (${link}):`;
  },
  errors: {
    empty: 'darf nicht leer sein',
    blank: 'braucht ein sichtbares Zeichen',
    long: (length, max) => `ist ${length} Zeichen lang; höchstens ${max} sind möglich`,
    characters: 'darf außer Zeilenumbrüchen und Tabs keine Steuerzeichen enthalten',
    least: (min) => `muss ${min} oder mehr sein`,
    most: (max) => `muss ${max} oder weniger sein`,
    digits: 'muss eine Zahl mit bis zu 15 Ziffern sein, sonst würde daraus eine andere',
    unfit: 'passt nicht zur Frage',
  },
};
