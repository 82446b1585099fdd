import {queryOptions, useQuery} from '@tanstack/react-query';
import {api, dataOf} from '../api/client.ts';
import {meQuery} from '../api/queries.ts';
import {texts} from '../texts/texts.ts';

/**
 * Reads an author's name from a standup, which every reader of standups may do. For people without standups,
 * reads the name from the members list.
 */
const authorNameQuery = (author: string) =>
  queryOptions({
    queryKey: ['authorName', {author}],
    queryFn: async ({signal}) => {
      const written = await dataOf(api.GET('/v1/standups', {params: {query: {author, limit: 1}}, signal}));
      const name = written.data[0]?.author.name;
      if (name !== undefined) return name;
      const member = await dataOf(
        api.GET('/v1/members/{member}', {params: {path: {member: author}}, signal}),
      );
      return member.name;
    },
  });

/** Returns the author's name for a filter, or the author's id when no name is known. */
export function useAuthorName(author: string): string {
  const me = useQuery(meQuery).data?.principal.id;
  const isMe = author === 'me' || author === me;
  const {data: name} = useQuery({...authorNameQuery(author), enabled: author !== '' && !isMe});
  return isMe ? texts.history.filters.me : (name ?? author);
}
