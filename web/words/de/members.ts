import type {members as english} from '../en/members.ts';

export const members: typeof english = {
  title: 'Personen',
};
