import {useState, useSyncExternalStore} from 'react';
import {listRecordedRequests, onRecorded, type RecordedRequest, formatAsCurl} from '../api/record.ts';
import {Button} from '../parts/button.tsx';
import {texts} from '../texts/texts.ts';
import {Overlay} from './overlay.tsx';
import styles from './requests.module.css';

/** Lists all API requests of the page, each with a curl command that repeats the request. */
export function Requests({onClose}: {onClose: () => void}) {
  const recorded = useSyncExternalStore(onRecorded, listRecordedRequests);
  const [copied, setCopied] = useState<number>();
  const {requests} = texts.palette;
  const copy = async (request: RecordedRequest): Promise<void> => {
    await navigator.clipboard.writeText(formatAsCurl(request, location.origin));
    setCopied(request.id);
  };
  return (
    <Overlay title={texts.frame.requests} placement="side" onClose={onClose}>
      <p className={styles['intro']}>{requests.intro}</p>
      {recorded.length === 0 && <p className={styles['intro']}>{requests.none}</p>}
      <ol className={styles['list']}>
        {recorded.map((request) => (
          <li key={request.id}>
            <div className={styles['line']}>
              <span className={styles['method']}>{request.method}</span>
              <code className={styles['path']}>{request.path}</code>
            </div>
            <div className={styles['facts']}>
              <span className={request.status >= 400 || request.status === 0 ? styles['bad'] : undefined}>
                {request.status === 0 ? requests.noAnswer : request.status}
              </span>
              <span>{requests.ms({ms: Math.round(request.ms)})}</span>
              {request.requestId !== undefined && <span>{requests.id({id: request.requestId})}</span>}
            </div>
            <details>
              <summary>curl</summary>
              <pre>{formatAsCurl(request, location.origin)}</pre>
              <Button icon="copy" size="small" onPress={() => void copy(request)}>
                {requests.copy}
              </Button>
              <p role="status">{copied === request.id ? requests.copied : ''}</p>
            </details>
          </li>
        ))}
      </ol>
    </Overlay>
  );
}
