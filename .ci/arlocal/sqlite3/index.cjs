'use strict';
const { DatabaseSync } = require('node:sqlite');

/** The calls of the package `sqlite3` that knex makes (its documentation, "Database"), each done at once and answered later. */
class Database {
  #database;

  constructor(filename, _flags, done) {
    answer(done, this, () => {
      this.#database = new DatabaseSync(filename);
    });
  }

  /** Answers with the number of changed rows and the last row's id as members of `this`. */
  run(sql, values, done) {
    const context = {};
    answer(done, context, () => {
      const { changes, lastInsertRowid } = this.#database.prepare(sql).run(...values.map(sqlValue));
      Object.assign(context, { changes: Number(changes), lastID: Number(lastInsertRowid) });
    });
  }

  all(sql, values, done) {
    answer(done, {}, () => this.#database.prepare(sql).all(...(values ?? []).map(sqlValue)));
  }

  close(done) {
    answer(done, this, () => this.#database.close());
  }
}

function answer(done, context, work) {
  let [failure, rows] = [null, undefined];
  try {
    rows = work();
  } catch (error) {
    failure = error;
  }
  setImmediate(() => done?.call(context, failure, rows));
}

/** As `sqlite3` stores what SQLite has no type for. */
function sqlValue(value) {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof Date) return value.getTime();
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) ? String(value) : value;
}

module.exports = { Database, OPEN_READONLY: 1, OPEN_READWRITE: 2, OPEN_CREATE: 4 };
