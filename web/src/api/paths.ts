// begin generated: api-paths (go run ./tools/baari generate)
import type { paths as AuthPaths } from './auth'
import type { paths as VisitsPaths } from './visits'
import type { paths as DirectoryPaths } from './directory'
import type { paths as AuditPaths } from './audit'
import type { paths as RealtimePaths } from './realtime'
import type { paths as LobbyPaths } from './lobby'

/** The operations of every service. */
export type Paths = AuthPaths & VisitsPaths & DirectoryPaths & AuditPaths & RealtimePaths & LobbyPaths
// end generated
