import {api, streamed} from '../api/client.ts';
import type {DownloadedFile} from './download.ts';

/** Everything that the service stores about a member, as a file to download. */
export const buildMemberExport = (member: string): DownloadedFile => ({
  name: `${member}.ndjson`,
  type: 'application/x-ndjson',
  open: async (signal) => {
    const params = {path: {member}};
    return (await api.GET('/v1/members/{member}/export', {params, ...streamed, signal})).data;
  },
});
