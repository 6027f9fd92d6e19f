import "../look/look.css";
import "../report/print.css";
import { mount } from "svelte";
import { forStaff } from "../catalogue/for_staff";
import { words } from "../words/words.svelte";
import StartPage from "./StartPage.svelte";

await words.open(forStaff, "window_start");
mount(StartPage, { target: document.body });
