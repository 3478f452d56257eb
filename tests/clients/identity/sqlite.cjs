// What the PDS asks of better-sqlite3, by the SQLite inside Node: nothing has to be compiled, and nothing crashes at its end.
const { DatabaseSync } = require('node:sqlite')

module.exports = class Database {
  constructor(path) {
    this.db = new DatabaseSync(path)
  }
  pragma(text) {
    return this.db.prepare(`PRAGMA ${text}`).all()
  }
  prepare(text) {
    const statement = this.db.prepare(text)
    return {
      reader: statement.columns().length > 0,
      all: (values) => statement.all(...values),
      run: (values) => statement.run(...values),
      iterate: (values) => statement.iterate(...values),
    }
  }
  close() {
    this.db.close()
  }
}
