import type {workspace as english} from '../en/workspace.ts';

export const workspace: typeof english = {
  title: 'Arbeitsbereich',
};
