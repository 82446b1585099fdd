import {useLocation, useRouter} from '@tanstack/react-router';

/**
 * Returns a function that tells whether the person is still on this page. A change asks it before it opens
 * another page, since the person may have gone elsewhere during the request.
 */
export function useIsHere(): () => boolean {
  const router = useRouter();
  const shown = useLocation({select: ({pathname}) => pathname});
  return () => router.latestLocation.pathname === shown;
}
