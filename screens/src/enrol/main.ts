import "../look/look.css";
import { mount } from "svelte";
import { forStaff } from "../catalogue/for_staff";
import { words } from "../words/words.svelte";
import EnrolPage from "./EnrolPage.svelte";

await words.open(forStaff, "window_enrol");
mount(EnrolPage, { target: document.body });
