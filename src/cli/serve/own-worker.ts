import cluster from "node:cluster";

/** The variable by which the program tells its workers whose they are. */
export const workerVariable = "WAYMARK_WORKER";

/** Whether this process is a worker of the program's: a process manager may run it as a worker, too, and gives no orders. */
export const isOwnWorker = cluster.isWorker && process.env[workerVariable] !== undefined;
