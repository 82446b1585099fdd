import {readStream} from '../api/read.ts';
import type {DownloadedFile} from './download.ts';

/** Everything that the service stores about a member, as a file to download. */
export const buildMemberExport = (member: string): DownloadedFile => ({
  name: `${member}.ndjson`,
  type: 'application/x-ndjson',
  open: (signal) => readStream('/v1/members/{member}/export', {member}, signal),
});
