import type {insights as english} from '../en/insights.ts';

export const insights: typeof english = {
  title: 'Auswertung',
};
