import { widget } from "../notebook.js";
import { liveRun } from "./live_run.js";

export default widget("live_run", liveRun, "run");
