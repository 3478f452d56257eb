// `node oidc.mjs FOLDER PORT PEOPLE`: a real OIDC provider for the device flow; PEOPLE: {"noor": ["platform"]} as JSON, the
// groups of each. Keys are new with each start. FOLDER is where tools.clients put it. Ends with its stdin.
import crypto from 'node:crypto'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const [folder, port, people] = process.argv.slice(2)
const { default: Provider } = await import(pathToFileURL(path.join(folder, 'lib/index.js')).href)
const groups = JSON.parse(people)
const { privateKey } = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 })
const client = (client_id) => ({
  client_id, token_endpoint_auth_method: 'none', redirect_uris: [], response_types: [],
  grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
})
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [client('lane'), client('another')],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: crypto.randomUUID(), use: 'sig', alg: 'RS256' }] },
  features: { deviceFlow: { enabled: true }, devInteractions: { enabled: true } },
  claims: { openid: ['sub', 'preferred_username', 'groups'] },
  conformIdTokenClaims: false,
  cookies: { keys: ['only for tests'] },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({ sub: `id-of-${id}`, preferred_username: id, groups: groups[id] ?? [] }),
  }),
})
provider.listen(+port, '127.0.0.1', () => console.log('ready'))
process.stdin.on('end', () => process.exit()).resume()
