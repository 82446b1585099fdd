import {useNavigate} from '@tanstack/react-router';
import {useSyncExternalStore} from 'react';
import {type SendState, getSendState, onSendStateChange} from './outbox.ts';

/** Opens the write panel on the current page; closes it when called without values. */
export function useOpenPanel(): (search: {readonly write?: string; readonly edit?: string}) => void {
  const navigate = useNavigate();
  return (search) =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => {
        const others = Object.entries(before).filter(([key]) => key !== 'write' && key !== 'edit');
        return {...Object.fromEntries(others), ...search};
      },
      resetScroll: false,
    });
}

export function useDelivery(draftKey: string): SendState | undefined {
  return useSyncExternalStore(onSendStateChange, () => getSendState(draftKey));
}
