import {useQuery} from '@tanstack/react-query';
import {meQuery} from '../api/queries.ts';
import {ConfirmFirst} from '../parts/confirm-first.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {managesWorkspace} from '../parts/rights.ts';
import {texts} from '../texts/texts.ts';
import {Erasures} from './erasures.tsx';
import {WorkspaceExports} from './exports.tsx';
import {SessionsLink} from './sessions-link.tsx';
import {ImportLink} from './import-link.tsx';
import {Settings} from './settings.tsx';
import {Slack} from './slack.tsx';

/** Members see only the Slack connection, and export the data that they may read. */
export function WorkspacePage() {
  const {data: me} = useQuery(meQuery);
  return (
    <>
      <PageHead
        sub={me === undefined || managesWorkspace(me) ? texts.workspace.sub : texts.workspace.subOfMember}
        title={texts.workspace.title}
      />
      <div className="grid max-w-narrow gap-4 [&_h2]:mb-2">
        {me !== undefined && managesWorkspace(me) && (
          <ConfirmFirst scope="workspace:manage">
            <Settings />
          </ConfirmFirst>
        )}
        {me !== undefined && <Slack me={me} />}
        <WorkspaceExports />
        {me !== undefined && managesWorkspace(me) && (
          <>
            <ImportLink />
            <Erasures />
            <SessionsLink />
          </>
        )}
      </div>
    </>
  );
}
