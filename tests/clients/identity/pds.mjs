// `node pds.mjs FOLDER plc PORT`, `… pds PORT PLC_URL DATA KEY`, `… move PLC_URL DID KEY PDS_URL`: a real PLC directory, a
// real PDS, and what a person's new PDS tells the directory. FOLDER is where tools.clients put them. Ends with its stdin.
import fs from 'node:fs'
import path from 'node:path'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

const [folder, role, ...given] = process.argv.slice(2)
const sqlite = new URL('./sqlite.cjs', import.meta.url).href
registerHooks({
  resolve: (name, context, next) => (name === 'better-sqlite3' ? { url: sqlite, shortCircuit: true } : next(name, context)),
})
const from = (...parts) => import(pathToFileURL(path.join(folder, ...parts)).href)

async function plc(port) {
  const { PlcServer, Database } = await from('node_modules/@did-plc/server/dist/index.js')
  await PlcServer.create({ db: Database.mock(), port: +port }).start()
}

async function pds(port, directory, data, key) {
  const { PDS } = await from('dist/index.js')
  fs.mkdirSync(path.join(data, 'blobs'), { recursive: true })
  const server = await PDS.fromEnv({
    devMode: true, disableSsrfProtection: true, inviteRequired: false,
    port: +port, hostname: 'localhost', dataDirectory: data, blobstoreDiskLocation: path.join(data, 'blobs'),
    adminPassword: 'admin', jwtSecret: key, plcRotationKeyK256PrivateKeyHex: key,
    didPlcUrl: directory, serviceHandleDomains: ['.test'],
    bskyAppViewUrl: 'https://appview.invalid', bskyAppViewDid: 'did:example:invalid',
    modServiceUrl: 'https://moderator.invalid', modServiceDid: 'did:example:invalid',
  })
  await server.start()
}

async function move(directory, did, key, endpoint) {
  const { Client } = await from('node_modules/@did-plc/lib/dist/index.js')
  const { Secp256k1Keypair } = await from('node_modules/@atproto/crypto/dist/index.js')
  const [rotation, fresh] = [await Secp256k1Keypair.import(key), await Secp256k1Keypair.create()]
  const client = new Client(directory)
  await client.updatePds(did, rotation, endpoint)
  await client.updateAtprotoKey(did, rotation, fresh.did())
}

await { plc, pds, move }[role](...given)
console.log('ready')
if (role === 'move') process.exit()
process.stdin.on('end', () => process.exit()).resume()
