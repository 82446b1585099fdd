import {type ClusterReport, movedWhileUsed, nodeTimeouts, slotCount} from '../domain/core/cluster-report.js';
import {formatTable} from '../domain/core/table.js';
import type {Facts, Session} from './session.js';

/** Describes the slots and settings of a store that is a cluster. */
export function describeCluster({cluster}: Pick<Facts, 'cluster'>): string[][] {
  if (cluster === undefined) return [];
  const {unserved, needsFullCoverage, nodeTimeoutMs} = cluster;
  const settings = [
    ...(needsFullCoverage === undefined
      ? []
      : [`cluster-require-full-coverage ${needsFullCoverage ? 'yes' : 'no'}`]),
    ...(nodeTimeoutMs === undefined ? [] : [`cluster-node-timeout ${nodeTimeoutMs}`]),
  ];
  return [
    [
      'Cluster slots',
      `${slotCount - unserved} of ${slotCount} served`,
      unserved === 0 ? '' : 'workspaces in the others get 503: start their master, or look at CLUSTER SLOTS',
    ],
    ['Cluster settings', settings.join(', ') || 'hidden', adviseOnSettings(cluster).join('; ')],
  ];
}

function adviseOnSettings({needsFullCoverage, nodeTimeoutMs = nodeTimeouts.least}: ClusterReport): string[] {
  const {least, most} = nodeTimeouts;
  return [
    ...(needsFullCoverage ? ['with yes, all masters refuse while one is away: set no'] : []),
    ...(nodeTimeoutMs < least || nodeTimeoutMs > most
      ? [`set a timeout of ${least} to ${most} ms: a failover begins after it`]
      : []),
  ];
}

/** Prints the workspaces that must not be moved key by key while they are used. */
export async function printLargeWorkspaces({
  listLarge,
  services,
  print,
  deadline,
}: Pick<Session, 'listLarge' | 'services' | 'print' | 'deadline'>): Promise<void> {
  const rows = (await listLarge(deadline)).map(async ({workspace, keys}) => {
    const found = await services.workspaces.findWorkspaceByReference(workspace, deadline());
    return [found?.slug ?? workspace, String(keys), 'make it read-only first, or move its slot atomically'];
  });
  print(
    formatTable(
      ['WORKSPACE', 'KEYS', 'ADVICE'],
      await Promise.all(rows),
      `No workspace has more than ${movedWhileUsed} keys: each slot may be moved while it is used.`,
    ),
  );
}
