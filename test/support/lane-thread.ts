// The thread that the tests of the lane start.

import { workerData } from 'node:worker_threads'
import { accessRules } from '../../src/access/access-rules.ts'
import { openServer } from '../../src/platform/http/server.ts'
import { serveLane } from '../../src/platform/lane/serve-lane.ts'
import { endpointsBehind } from './lane-endpoints.ts'
import { noDatabase } from './no-database.ts'

await serveLane(async parts => {
  const endpoints = endpointsBehind(new Int32Array(workerData))
  const common = { database: noDatabase, access: accessRules, formats: {}, isBehindAnother: true }
  return { app: openServer({ ...parts, ...common, endpoints }), close: async () => {} }
})
