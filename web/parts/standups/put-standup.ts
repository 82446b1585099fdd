import type {InfiniteData} from '@tanstack/react-query';
import type {ShownStandup} from '../../api/schema.ts';

export interface StandupListPage {
  readonly data: readonly ShownStandup[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

export type StandupListPages = InfiniteData<StandupListPage, string | undefined>;

/** Puts a changed standup into the loaded pages, unless it belongs after the last loaded row. */
export function putStandup(
  pages: StandupListPages,
  standup: ShownStandup,
  order: 'asc' | 'desc',
): StandupListPages {
  const stays = ({id, date}: ShownStandup): boolean => id === standup.id && date === standup.date;
  if (pages.pages.some(({data}) => data.some(stays))) {
    const replaced = pages.pages.map((page) => ({
      ...page,
      data: page.data.map((one) => (stays(one) ? standup : one)),
    }));
    return {...pages, pages: replaced};
  }
  const without = removeStandup(pages, standup.id);
  const isBefore = (other: ShownStandup): boolean =>
    order === 'asc' ? sortKeyOf(standup) < sortKeyOf(other) : sortKeyOf(standup) > sortKeyOf(other);
  const last = without.pages.length - 1;
  let isPut = false;
  const put = without.pages.map((page, i): StandupListPage => {
    const at = page.data.findIndex(isBefore);
    if (isPut || (at < 0 && (i < last || page.has_more))) return page;
    isPut = true;
    return {...page, data: at < 0 ? [...page.data, standup] : page.data.toSpliced(at, 0, standup)};
  });
  return {...without, pages: put};
}

export function removeStandup(pages: StandupListPages, id: string): StandupListPages {
  return {
    ...pages,
    pages: pages.pages.map((page) => ({...page, data: page.data.filter((one) => one.id !== id)})),
  };
}

function sortKeyOf({date, created_at}: ShownStandup): string {
  return `${date} ${created_at}`;
}
