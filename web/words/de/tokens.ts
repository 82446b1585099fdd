import type {tokens as english} from '../en/tokens.ts';

export const tokens: typeof english = {
  title: 'Zugriffstokens',
};
