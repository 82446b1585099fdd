import {Problem} from '../api/problem.ts';
import {meQuery, queryClient} from '../api/queries.ts';
import type {Me} from '../api/schema.ts';
import {getToken} from '../api/session.ts';

/** Returns the member who is signed in to this browser; undefined if there is none. */
export async function findSignedIn(): Promise<Me | undefined> {
  try {
    await getToken();
    return await queryClient.fetchQuery({...meQuery, staleTime: 0});
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return undefined;
    throw error;
  }
}
